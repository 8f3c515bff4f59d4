# Everything runs in .venv, which the first target that needs it sets up. PYTHON chooses the interpreter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.ready-base
READY := $(VENV)/.ready
ALL := $(VENV)/.ready-extras
TORCH := .venv-torch
PLUGINS := .venv-plugins
OPENENV := .venv-openenv
VERL := .venv-verl
LOWEST := .venv-lowest
PEERS := .venv-peers
PIP := -m pip install --quiet --disable-pip-version-check
WORKERS ?= 2

# Hundreds of tests start Python: it need not compile all modules each time, whatever a container says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test quick test-docs test-bare test-trainers test-ray test-embodied test-plugins first-hour test-browser lowest lint mutants golden bench docs results release readme trl hf environments clean
.DEFAULT_GOAL := help

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(BASE) ## play an episode of each game; open demo/index.html afterwards
	$(BIN)/mmgames demo

# Chess and Atari are installed here, so a game of theirs that is missing is an error. CONTRIBUTING.md says which
# environment each target has, and why.
test: lint $(LOWEST)/.ready $(VENV)/.kernels ## everything that has to pass: ruff, mypy, pytest
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --extras chess,atari --ignore tests/docs --ignore tests/browser

quick: lint ## the inner loop: lint, one game of each kind through the conformance kit, links between pages
	$(BIN)/python -m pytest tests/conformance/one_of_each_kind.py tests/test_links.py

test-docs: $(ALL) ## the documentation: its code runs, its guides lead where they say, its site is whole
	$(BIN)/python -m pytest $(if $(filter-out 1,$(WORKERS)),-n $(WORKERS) --dist loadfile) --extras chess,atari tests/docs

test-bare: $(ALL) ## the tests that need a program, as a machine without it sees them
	MMGAMES_REQUIRE= $(BIN)/python -m pytest --hide-programs -m program

test-trainers: $(TORCH)/.ready ## training: our own IPPO and other libraries' trainers, on real PyTorch
	$(TORCH)/bin/python -m pytest tests/trainers tests/rllib

# Where SAPIEN has no wheel the environments are tested on the drawn scene, and the rest says why it did not run; nothing
# is asked of a driver there, so none is hidden.
SAPIEN := $(if $(filter Linux-aarch64,$(shell uname -sm | tr ' ' -)),,has a wheel)
test-embodied: $(TORCH)/.ready ## scenes and robots in ManiSkill, really rendered; needs a Vulkan driver
	$(TORCH)/bin/python -m pytest $(if $(filter-out 1,$(WORKERS)),-n $(WORKERS)) -rs $(if $(SAPIEN),--extras embodied) tests/embodied3d
	$(if $(SAPIEN),MMGAMES_REQUIRE= $(TORCH)/bin/python -m pytest --hide-programs -m program tests/embodied3d)

# README leaves the build of PyTorch to its reader; here it is the one for CPUs.
first-hour: $(READY) ## README on a fresh clone, typed as it stands: installs, PyTorch among them, included
	FIRST_HOUR=1 PIP_CONSTRAINT=$(CURDIR)/tests/first_hour/constraints.txt $(BIN)/python -m pytest -s tests/first_hour

test-plugins: $(PLUGINS)/.ready $(OPENENV)/.ready $(VERL)/.ready ## what plugs in elsewhere, with the real packages
	$(PLUGINS)/bin/python -m pytest tests/plugins/test_mcp.py tests/plugins/test_inspect.py
	$(OPENENV)/bin/python -m pytest tests/plugins/test_openenv.py
	$(TORCH)/bin/python -m pytest tests/plugins/test_verifiers.py
	$(VERL)/bin/python -m pytest tests/plugins/test_verl.py

test-ray: $(TORCH)/.ready ## many machines: a real Ray with two workers, of which some are killed
	$(TORCH)/bin/python -m pytest tests/ray

# Where the system makes no networks for tests, or there is no browser, they say so and are skipped.
test-browser: $(ALL) ## our pages in a browser, and rooms between two machines (network namespaces, which need root)
	ROOMS=1 $(BIN)/python -m pytest -rs tests/browser tests/network

# The kernels of another Numba have a cache of their own.
lowest: $(LOWEST)/.ready ## the conformance kit on the lowest versions that pyproject.toml allows
	NUMBA_CACHE_DIR=$(LOWEST)/kernels $(LOWEST)/bin/python -m pytest --noconftest -p no:cacheprovider \
		tests/conformance/one_of_each_kind.py

lint: $(ALL) ## ruff and mypy alone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# SEED, COUNT and ONLY choose the sample: make mutants SEED=7 COUNT=40 ONLY=mmgames/envs
mutants: $(ALL) ## small changes of rules, faces and loops, drawn by a seed: which of them no test sees
	$(BIN)/python -m tests.mutants --jobs $(WORKERS) $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(if $(ONLY),--only $(ONLY))

golden: $(ALL) ## write the golden playthroughs anew; look at the diff before you commit it
	$(BIN)/python -m tests.golden.write

bench: $(ALL) $(PEERS)/.ready ## measure speed on this machine, beside the peers
	$(BIN)/mmgames bench --peers $(PEERS)/bin/python --out results/bench.json

trl: $(TORCH)/.ready ## a few steps of TRL's trainers on our rollouts and environments
	$(TORCH)/bin/python -m pytest tests/trl

hf: $(TORCH)/.ready ## local models of transformers in the seats of games
	$(TORCH)/bin/python -m pytest tests/hf

environments: $(ALL) $(TORCH)/.ready $(PLUGINS)/.ready $(OPENENV)/.ready $(VERL)/.ready $(LOWEST)/.ready ## all that tests run in; -j2 installs two at a time

docs: $(ALL) ## build the documentation site into site/
	$(BIN)/python docs/build_site.py

results: $(ALL) $(PEERS)/.ready ## write the pages in docs/results anew (takes a while; keep the machine quiet)
	$(BIN)/mmgames bench --peers $(PEERS)/bin/python --markdown docs/results/speed.md
	$(BIN)/mmgames eval vs-bench --agent random --agent best_guess --agent oracle --episodes 1000 --out results/vs-bench \
		--markdown docs/results/vs-bench.md --radar docs/results/vs-bench-behaviour.png \
		--overall docs/results/vs-bench-overall.png
	$(BIN)/mmgames eval vs-bench --set edition=2 --agent random --agent best_guess --agent oracle --episodes 400 \
		--out results/vs-bench-2 --markdown docs/results/vs-bench-2.md
	$(BIN)/mmgames eval comma --agent random --agent oracle --episodes 1000 --set rules=released --out results/comma \
		--markdown docs/results/comma.md --turns docs/results/comma-turns.png \
		--efficiency docs/results/comma-efficiency.png --errors docs/results/comma-errors.png \
		--privacy docs/results/comma-privacy.png
	$(BIN)/mmgames eval lvlm-playground --agent random --agent legal_random --agent oracle --episodes 1000 \
		--out results/lvlm-playground \
		--markdown docs/results/lvlm-playground.md --radar docs/results/lvlm-playground-tasks.png
	$(BIN)/mmgames eval vision-zero --agent random --agent truthful --agent consistency --agent vague --agent copying \
		--agent blurting --agent silent --agent listening --agent oracle --episodes 1000 --out results/vision-zero \
		--markdown docs/results/vision-zero.md
	$(BIN)/mmgames eval viki --agent random --agent heuristic --agent oracle --episodes 1000 --out results/viki \
		--markdown docs/results/viki.md
	$(BIN)/python docs/keep_runs.py results/vs-bench results/vs-bench-2 results/comma results/lvlm-playground results/vision-zero results/viki

release: $(READY) ## build the source archive and the wheel, and try it on every Python that is declared (PYTHONS names them)
	$(BIN)/python .ci/try_release.py $(PYTHONS)

readme: $(ALL) ## write README's table, pictures and films, the gallery and the page of OpenSpiel's games anew
	$(BIN)/mmgames list --update README.md
	$(BIN)/python docs/open_spiel_page.py
	$(BIN)/python docs/gallery_pictures.py
	$(BIN)/python docs/front_page.py
	rm -rf build/films
	$(BIN)/mmgames match Overcooked planner --episodes 1 --out build/films/overcooked.jsonl
	$(BIN)/mmgames show build/films/overcooked.jsonl --episode 0 --size 400 --pace 0.3 --out docs/pictures/overcooked.gif
	$(BIN)/mmgames match Spy consistency --episodes 2 --out build/films/spy.jsonl
	$(BIN)/mmgames show build/films/spy.jsonl --episode 1 --size 400 --pace 1.2 --out docs/pictures/spy.gif

clean: ## remove what was made, the virtual environment too
	rm -rf $(VENV) $(TORCH) $(PLUGINS) $(OPENENV) $(VERL) $(LOWEST) $(PEERS) build dist demo site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
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
	$(BIN)/python $(PIP) --editable '.[dev,chess,atari,chat,film,play]'
	@touch $@

# Where no source is newer all kernels are in the cache; to find that out takes as long as a file of tests.
$(VENV)/.kernels: $(ALL) $(shell find mmgames baselines -name '*.py')
	$(BIN)/mmgames compile --processes $(WORKERS)
	@touch $@

$(PEERS)/.ready: benchmarks/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python $(PIP) --requirement $<
	@touch $@

# The kitchen that Overcooked is compared with needs an old NumPy, as this environment has.
$(LOWEST)/.ready: tests/differential/requirements.txt pyproject.toml .ci/lowest.py
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python $(PIP) --requirement $< $$($(PYTHON) .ci/lowest.py)
	$(LOWEST)/bin/python $(PIP) --no-deps --editable .
	@touch $@

$(PLUGINS)/.ready: tests/plugins/requirements.txt pyproject.toml
$(OPENENV)/.ready: tests/plugins/openenv.txt pyproject.toml
$(PLUGINS)/.ready $(OPENENV)/.ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP) --no-compile --no-deps --requirement $<
	$(@D)/bin/python $(PIP) --no-deps --editable .
	@touch $@

# What is in $(TORCH) comes behind what is in here.
$(VERL)/.ready: tests/plugins/verl.txt $(TORCH)/.ready
	$(PYTHON) -m venv --clear $(VERL)
	$(VERL)/bin/python $(PIP) --no-compile --no-deps --requirement $<
	cd $(VERL)/lib/python3*/site-packages && echo $(CURDIR)/$(TORCH)/lib/python3*/site-packages > torch-packages.pth
	$(VERL)/bin/python $(PIP) --no-deps --editable .
	@touch $@

# Only a small part of what is installed here is ever imported, so nothing is compiled ahead.
$(TORCH)/.ready: tests/torch.txt pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP) --no-compile --requirement $< --editable .
	@touch $@
