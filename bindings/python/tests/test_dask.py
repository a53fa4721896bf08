"""The sweep with Dask: a worker is killed, and the result is that of `nimatron atlas 4`."""

import subprocess
import sys
from pathlib import Path

from conftest import needed

SWEEP = Path(__file__).resolve().parents[1] / "examples" / "sweep_dask.py"


def test_a_sweep_survives_a_killed_worker(tmp_path: Path) -> None:
    cli = needed("NIMATRON_CLI")
    command = [sys.executable, str(SWEEP), "4", "--json", "--kill-a-worker"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "killed worker" in done.stderr, done.stderr
    expected = subprocess.run([cli, "atlas", "4", "--json"], capture_output=True, text=True, check=True)
    assert done.stdout == expected.stdout
