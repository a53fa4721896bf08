"""The notebook runs, and its outputs are those that are kept, as far as they are the same everywhere."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parents[1]


def test_the_tutorial_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(HERE / "notebooks" / "tutorial.ipynb", as_version=4)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    pictures = [
        output
        for cell in cells
        for output in cell.outputs
        if "image/svg+xml" in output.get("data", {}) or "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 6
    nbformat.write(notebook, tmp_path / "executed.ipynb")
