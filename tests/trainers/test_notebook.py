"""The notebook runs from top to bottom, and says what it shows."""

from pathlib import Path

import pytest


def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(Path(__file__).parents[2] / "examples" / "notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    here = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=here).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    told = "".join(output.get("text", "") for output in outputs)
    assert len(pictures) == 3, "the position, the curve, the record"
    assert "ours beside self_interest" in told and "## Legal actions" in told
