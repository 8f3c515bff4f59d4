"""Runs in a process of its own, in a user's checkout of a paper's code: what its scorer says of replies.

Reads one JSON document from the standard input, {"paper": …, "rows": [{"game", "kind", "reply", "truth"}, …]}, and
writes a list of scores to the standard output. Nothing of mmgames is imported here: the interpreter may be another one.
"""

import importlib
import importlib.util
import json
import sys
from contextlib import redirect_stdout
from typing import Any


def lvlm_playground(rows: list[dict[str, Any]]) -> list[float]:
    """Each row goes through `Metric` alone, as if it were a whole record."""
    spec: Any = importlib.util.spec_from_file_location("metric", "playground/evaluator/metric.py")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    scores = []
    for row in rows:
        metric = object.__new__(module.Metric)  # which would read a file
        metric.record = {row["kind"]: {row["game"]: [{"raw": row["reply"]}]}}
        metric.debug_results, metric.scores = {}, {}
        scored = getattr(metric, f"evaluate_{row['kind']}")(row["game"], {"annotations": [{"gt": row["truth"]}]})
        scores.append(float(scored))
    return scores


def vs_bench(rows: list[dict[str, Any]]) -> list[float]:
    """Forms are those of the environment; a reply that has none, or names no legal action, scores nothing."""
    sys.path.insert(0, ".")
    agent = object.__new__(importlib.import_module("agents.prompt_agent").PromptAgent)
    known = importlib.import_module("envs.base_env")
    scores = []
    for row in rows:
        importlib.import_module(f"envs.{row['game']}")
        forms = object.__new__(known.BaseEnv._registry[row["game"]]).regex_patterns
        try:
            said = agent._extract_action(row["reply"], forms)
            scores.append(float(int(agent._parse_action(said, row["truth"]["legal"])) in row["truth"]["right"]))
        except (known.RegexError, ValueError):
            scores.append(0.0)
    return scores


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        found = {"lvlm-playground": lvlm_playground, "vs-bench": vs_bench}[asked["paper"]](asked["rows"])
    print(json.dumps(found))
