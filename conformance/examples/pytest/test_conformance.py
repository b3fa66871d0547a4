"""Each requirement as a test of pytest. What is checked stands in the project's statement (wireproof.yaml)."""
import json
import subprocess

import pytest

CHECK = subprocess.run(["npx", "wireproof", "check", "--report", "json"], stdout=subprocess.PIPE)
if not CHECK.stdout:
    raise RuntimeError(f"no report: exit code {CHECK.returncode}")
REPORT = json.loads(CHECK.stdout)


@pytest.mark.parametrize("row", REPORT["requirements"], ids=lambda row: row["id"])
def test_requirement(row):
    text = f"{row['level']} {row['text']}\n{row.get('message') or row.get('reason', '')}\n{row.get('replay', '')}"
    if "expected_failure" in row or "follows_from" in row:
        pytest.xfail(text)
    elif row["verdict"] in ("fail", "error"):
        # Only with --strict is a violated SHOULD fatal.
        (pytest.fail if row["level"] == "MUST" or REPORT["strict"] else pytest.xfail)(text)
    elif row["verdict"] != "pass":
        pytest.skip(f"{row['verdict']}: {row.get('reason', '')}")


def test_verdict():
    failed = [row["id"] for row in REPORT["requirements"] if row["verdict"] in ("fail", "error")]
    assert REPORT["verdict"] in ("conformant", "partial"), (REPORT["verdict"], failed, REPORT["problems"])
