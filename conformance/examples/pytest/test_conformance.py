"""Each requirement of each target as a test of pytest. What is checked stands in the project's statement (wireproof.yaml)."""
import json
import pathlib
import subprocess
import tempfile

import pytest

with tempfile.TemporaryDirectory() as folder:
    # A statement of several targets gives a report of each: {name} is the name of the target.
    CHECK = subprocess.run(["npx", "wireproof", "check", "--report", f"json={folder}/{{name}}.json"])
    FILES = sorted(pathlib.Path(folder).glob("*.json"))
    REPORTS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in FILES}
if not REPORTS:
    raise RuntimeError(f"no report: exit code {CHECK.returncode}")


def rows():
    for name, report in REPORTS.items():
        for row in report["requirements"]:
            yield pytest.param(report, row, id=row["id"] if len(REPORTS) == 1 else f"{name}-{row['id']}")


@pytest.mark.parametrize("report, row", rows())
def test_requirement(report, row):
    text = f"{row['level']} {row['text']}\n{row.get('message') or row.get('reason', '')}\n{row.get('replay', '')}"
    if "expected_failure" in row or "follows_from" in row:
        pytest.xfail(text)
    elif row["verdict"] in ("fail", "error"):
        # Only with --strict is a violated SHOULD fatal.
        (pytest.fail if row["level"] == "MUST" or report["strict"] else pytest.xfail)(text)
    elif row["verdict"] != "pass":
        pytest.skip(f"{row['verdict']}: {row.get('reason', '')}")


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS.keys())
def test_verdict(report):
    failed = [row["id"] for row in report["requirements"] if row["verdict"] in ("fail", "error")]
    assert report["verdict"] in ("conformant", "partial"), (report["verdict"], failed, report["problems"])


def test_every_target_has_a_report():
    assert CHECK.returncode not in (2, 5), f"exit code {CHECK.returncode}"
