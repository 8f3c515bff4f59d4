"""Layers of a card in one Triton kernel, in Triton's interpreter: they give what PyTorch's own layers give."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("triton")

COMPARE = """
import torch
from mmgames.baselines.learning.fused_layers import fused
from mmgames.baselines.learning.ippo import IppoRecipe, Net

def net(layers, **recipe):
    made = Net(IppoRecipe(layers=layers, **recipe), (7,), 5, (7,))
    for part in made.parameters():
        part.data += 0.1 * torch.randn_like(part)
    return made

torch.manual_seed(1)
for made in (net((16, 40)), net((33, 16), activation="tanh")):
    layers, seen, rows = fused(made), torch.randn(200, 7), torch.randperm(200)[:90]
    outputs = made.outputs(seen, None, None)[0]
    torch.testing.assert_close(layers.outputs(seen), outputs)
    torch.testing.assert_close(layers.outputs(seen, rows), outputs[rows])
    gradient = torch.randn(90, 6)
    parts = torch.autograd.grad(outputs, [*made.parameters()], torch.zeros(200, 6).index_copy(0, rows, gradient))
    whole = layers.backward(seen, rows, gradient)
    torch.testing.assert_close(whole, torch.cat([part.flatten() for part in parts]), rtol=1e-4, atol=1e-4)
    for parameter, part in zip(made.parameters(), parts):
        torch.testing.assert_close(parameter.grad, part, rtol=1e-4, atol=1e-4)
others = (net((16,)), net((16, 16, 16)), net((256, 16)), net((16, 16), trunk="separate"), net((16, 16), core="gru"))
assert all(fused(made) is None for made in others)
"""


def test_outputs_and_gradients_are_those_of_the_layers_and_other_networks_are_left_alone() -> None:
    env = {**os.environ, "TRITON_INTERPRET": "1"}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", COMPARE], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
