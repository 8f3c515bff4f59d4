# Everything runs in .venv, which the first target that needs it sets up. PYTHON chooses the interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.ready-base
READY := $(VENV)/.ready
ALL := $(VENV)/.ready-extras
PEERS := .venv-peers
OVERCOOKED := .venv-overcooked
TRL := .venv-trl
LOWEST := .venv-lowest
TRAINERS := .venv-trainers
RLLIB := .venv-rllib
EMBODIED := .venv-embodied
PLUGINS := .venv-plugins
OPENENV := .venv-openenv
VERIFIERS := .venv-verifiers
WORKERS ?= 2

.PHONY: help demo test test-trainers test-ray test-embodied test-plugins first-hour lowest lint golden bench docs results readme trl hf clean
.DEFAULT_GOAL := help

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(BASE) ## play an episode of each game; open demo/index.html afterwards
	$(BIN)/mmgames demo

test: lint $(OVERCOOKED)/.ready ## everything that has to pass: ruff, mypy, pytest
	$(BIN)/python -m pytest -n $(WORKERS)

test-trainers: $(TRAINERS)/.ready $(RLLIB)/.ready ## training: our own IPPO and other libraries' trainers, on real PyTorch
	$(TRAINERS)/bin/python -m pytest tests/trainers
	$(RLLIB)/bin/python -m pytest tests/rllib

# Where SAPIEN has no wheel the environments are tested on the drawn scene, and the rest says why it did not run.
test-embodied: $(EMBODIED)/.ready ## scenes and robots in ManiSkill, really rendered; needs a Vulkan driver
	$(EMBODIED)/bin/python -m pytest -n $(WORKERS) -rs tests/embodied3d

# README leaves the build of PyTorch to its reader; here it is the one for CPUs.
first-hour: $(READY) ## README on a fresh clone, typed as it stands: installs, PyTorch among them, included
	FIRST_HOUR=1 PIP_CONSTRAINT=$(CURDIR)/tests/first_hour/constraints.txt $(BIN)/python -m pytest -s tests/first_hour

# Their pins exclude each other: three environments, which -j sets up at the same time.
test-plugins: $(PLUGINS)/.ready $(OPENENV)/.ready $(VERIFIERS)/.ready ## what plugs in elsewhere, with the real packages
	$(PLUGINS)/bin/python -m pytest tests/plugins/test_mcp.py tests/plugins/test_inspect.py
	$(OPENENV)/bin/python -m pytest tests/plugins/test_openenv.py
	$(VERIFIERS)/bin/python -m pytest tests/plugins/test_verifiers.py

test-ray: $(RLLIB)/.ready ## many machines: a real Ray with two workers, of which some are killed
	$(RLLIB)/bin/python -m pytest tests/ray

# One game of each kind: whole numbers and text, in turn and at once, with chance, with hidden cards, compiled. The
# kernels of another Numba have a cache of their own.
lowest: $(LOWEST)/.ready ## the conformance kit on the lowest versions that pyproject.toml allows
	NUMBA_CACHE_DIR=$(LOWEST)/kernels $(LOWEST)/bin/python -m pytest --noconftest -p no:cacheprovider tests/conformance \
		-k "TicTacToe or KuhnPoker or CoinDilemma or WirePuzzle"

lint: $(ALL) ## ruff and mypy alone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

golden: $(ALL) ## write the golden playthroughs anew; look at the diff before you commit it
	$(BIN)/python -m tests.golden.write

bench: $(ALL) $(PEERS)/.ready ## measure speed on this machine, beside the peers
	$(BIN)/mmgames bench --peers $(PEERS)/bin/python --out results/bench.json

trl: $(TRL)/.ready ## a few steps of TRL's trainers on our rollouts and environments (torch and more, apart from the rest)
	$(TRL)/bin/python -m pytest tests/trl

hf: $(TRL)/.ready ## local models of transformers in the seats of games (the same environment as for TRL)
	$(TRL)/bin/python -m pytest tests/hf

docs: $(ALL) ## build the documentation site into site/
	$(BIN)/python docs/build_site.py

results: $(ALL) $(PEERS)/.ready ## write the pages in docs/results anew (takes a while; keep the machine quiet)
	$(BIN)/mmgames bench --peers $(PEERS)/bin/python --markdown docs/results/speed.md
	$(BIN)/mmgames eval vs-bench --agent random --agent oracle --episodes 1000 --out results/vs-bench \
		--markdown docs/results/vs-bench.md --radar docs/results/vs-bench-behaviour.png \
		--overall docs/results/vs-bench-overall.png
	$(BIN)/mmgames eval comma --agent random --agent oracle --episodes 1000 --set rules=released --out results/comma \
		--markdown docs/results/comma.md --turns docs/results/comma-turns.png \
		--efficiency docs/results/comma-efficiency.png --errors docs/results/comma-errors.png \
		--privacy docs/results/comma-privacy.png
	$(BIN)/mmgames eval lvlm-playground --agent random --agent legal_random --agent oracle --episodes 1000 \
		--out results/lvlm-playground \
		--markdown docs/results/lvlm-playground.md --radar docs/results/lvlm-playground-tasks.png
	$(BIN)/mmgames eval vision-zero --agent random --agent truthful --agent consistency --agent vague --agent copying \
		--agent oracle --episodes 1000 --out results/vision-zero --markdown docs/results/vision-zero.md
	$(BIN)/mmgames eval viki --agent random --agent heuristic --agent oracle --episodes 1000 --out results/viki \
		--markdown docs/results/viki.md

readme: $(ALL) ## write README's table, pictures and films, the gallery and the page of OpenSpiel's games anew
	$(BIN)/mmgames list --update README.md
	$(BIN)/python docs/open_spiel_page.py
	$(BIN)/python -m mmgames.assets.draw_gallery
	$(BIN)/python docs/front_page.py
	rm -rf build/films
	$(BIN)/mmgames match Overcooked planner --episodes 1 --out build/films/overcooked.jsonl
	$(BIN)/mmgames show build/films/overcooked.jsonl --episode 0 --size 400 --pace 0.3 --out docs/pictures/overcooked.gif
	$(BIN)/mmgames match Spy consistency --episodes 2 --out build/films/spy.jsonl
	$(BIN)/mmgames show build/films/spy.jsonl --episode 1 --size 400 --pace 1.2 --out docs/pictures/spy.gif

clean: ## remove what was made, the virtual environment too
	rm -rf $(VENV) $(PEERS) $(OVERCOOKED) $(TRL) $(LOWEST) $(TRAINERS) $(RLLIB) $(EMBODIED) $(PLUGINS) $(OPENENV) $(VERIFIERS) build dist demo site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The demo needs what a user gets with `pip install .`, and no more; the tools of developers bring that along.
$(BASE): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(READY): pyproject.toml setup.py
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(BASE) $@

# The chess and Atari engines, for everything that goes over all games. Their licences are the GPL's.
$(ALL): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,chess,atari,chat,film,play]'
	@touch $@

$(PEERS)/.ready: benchmarks/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(LOWEST)/.ready: pyproject.toml .ci/lowest.py
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check $$($(PYTHON) .ci/lowest.py)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

# overcooked_ai needs an old NumPy, so the kitchen it is compared with has an environment of its own.
$(OVERCOOKED)/.ready: tests/differential/requirements.txt
	$(PYTHON) -m venv $(OVERCOOKED)
	$(OVERCOOKED)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(PLUGINS)/.ready: tests/plugins/mcp-and-inspect.txt pyproject.toml
$(OPENENV)/.ready: tests/plugins/openenv.txt pyproject.toml
$(VERIFIERS)/.ready: tests/plugins/verifiers.txt pyproject.toml
$(PLUGINS)/.ready $(OPENENV)/.ready $(VERIFIERS)/.ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $<
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(TRL)/.ready: tests/trl/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(TRL)
	$(TRL)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $< --editable .
	@touch $@

# Torch first, the build for CPUs; the project itself leaves its version open. RLlib wants a Gymnasium of its own.
$(TRAINERS)/.ready: tests/trainers/requirements.txt pyproject.toml
$(RLLIB)/.ready: tests/rllib/requirements.txt pyproject.toml
$(EMBODIED)/.ready: tests/embodied3d/requirements.txt pyproject.toml
$(TRAINERS)/.ready $(RLLIB)/.ready $(EMBODIED)/.ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $< --editable .
	@touch $@
