"""Figures and articles: what the command line draws and writes, and what notebooks show."""

import os
import pickle
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import nimatron
from conftest import needed
from nimatron import Certificate, Game

FIGURES = [
    ("CN(7,3)", {}, ()),
    ("CN(7,3)", {"point": "abd", "layout": "row"}, ("--point", "abd", "--layout", "row")),
    ("CN(7,3)", {"position": (3, 5, 4, 2, 1, 6, 3)}, ("3,5,4,2,1,6,3",)),
    (
        "CN(7,3)",
        {"position": (3, 5, 4, 2, 1, 6, 3), "take": (1, 2, 0, 0, 0, 0, 2)},
        ("3,5,4,2,1,6,3", "--take", "1,2,0,0,0,0,2"),
    ),
    (
        "PN(5,3)",
        {"position": "2,4,1,2,4", "heights": "numbers"},
        ("2,4,1,2,4", "--heights", "numbers"),
    ),
    ("CN(5,3)", {"what": "structure"}, ("--what", "structure")),
    (
        "CN(4,2)",
        {"what": "structure", "formula": "a = c, b = d"},
        ("--what", "structure", "--formula", "a = c, b = d"),
    ),
    (
        "CN(7,3)",
        {"what": "process", "position": (3, 5, 4, 2, 1, 6, 3)},
        ("3,5,4,2,1,6,3", "--what", "process"),
    ),
    ("CN(6,3)", {"what": "subgames"}, ("--what", "subgames")),
    ("CN(5,2)", {"what": "circuits"}, ("--what", "circuits")),
    (
        "CN(4,2)",
        {"position": (0, 4, 0, 4), "what": "slice", "axes": "ac", "max": 9},
        ("0,4,0,4", "--what", "slice", "--axes", "ac", "--max", "9"),
    ),
    (
        "CN(4,2)",
        {"what": "slice", "axes": [1, 3], "max": 5, "values": "remoteness"},
        ("--what", "slice", "--axes", "ac", "--max", "5", "--values", "remoteness"),
    ),
    ("CN(4,2)", {"what": "growth", "max": 8}, ("--what", "growth", "--max", "8")),
    ("CN(4,2)", {"what": "frontier", "max": 9}, ("--what", "frontier", "--max", "9")),
    ("Set(ab,ac,bc,ad)", {"what": "automaton"}, ("--what", "automaton")),
    ("Slow(2,{1})", {"what": "grid", "max": 4}, ("--what", "grid", "--max", "4")),
    ("CN(3,2)", {"what": "graph", "position": (1, 1, 2)}, ("1,1,2", "--what", "graph")),
]


@pytest.fixture
def command(tmp_path: Path):
    cli = needed("NIMATRON_CLI")
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}

    def run(*words: str) -> str:
        done = subprocess.run([cli, *words], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    return run


@pytest.mark.parametrize("game,asked,words", FIGURES)
def test_figures_are_those_of_the_command_line(game, asked, words, command) -> None:
    figure = Game(game).draw(**asked)
    drawn = ("draw", game, *words)
    for theme in ("auto", "light", "dark", "print"):
        assert figure.svg(theme) == command(*drawn, "--theme", theme)
        ElementTree.fromstring(figure.svg(theme))
    assert figure.tikz() == command(*drawn, "--tikz")
    assert figure.tikz(standalone=True) == command(*drawn, "--standalone")
    assert figure.to_json() + "\n" == command(*drawn, "--json")
    assert figure._repr_svg_() == figure._repr_html_() == figure.svg()
    assert "\\begin{tikzpicture}" in figure._repr_latex_()
    assert figure.title in repr(figure)
    again = pickle.loads(pickle.dumps(figure))
    assert again == figure and hash(again) == hash(figure) and again.svg("dark") == figure.svg("dark")


def test_figures_are_saved(tmp_path: Path) -> None:
    figure = Game("CN(5,3)").draw()
    for name in ("f.svg", "f.tikz", "f.tex", "f.json"):
        figure.save(tmp_path / name)
        with pytest.raises(FileExistsError):
            figure.save(tmp_path / name)
        figure.save(tmp_path / name, overwrite=True)
    assert (tmp_path / "f.svg").read_text() == figure.svg("print")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.json", "f.svg", "f.tex", "f.tikz"]
    with pytest.raises(nimatron.NimatronInputError):
        figure.save(tmp_path / "f.png")


def test_figures_that_make_no_sense() -> None:
    game = Game("CN(5,3)")
    for asked in (
        {"what": "magic"},
        {"what": "position"},
        {"what": "move", "position": (1, 1, 1, 1, 1)},
        {"position": (1, 1, 1, 1, 1), "take": (1, 1, 1, 1, 0)},
        {"take": (1, 0, 0, 0, 0)},
        {"what": "game", "max": 5},
        {"what": "slice", "axes": "aa"},
        {"what": "slice", "axes": "az"},
        {"what": "slice", "axes": [1, 9]},
        {"layout": "heap"},
        {"point": "q"},
    ):
        with pytest.raises(nimatron.NimatronInputError):
            game.draw(**asked)
    with pytest.raises(nimatron.NimatronUnknown):
        Game("CN(6,2)").draw(what="structure")
    for asked in ({"what": 5}, {"heights": b"both"}, {"axes": 5}, {"formula": 7}):
        with pytest.raises(TypeError):
            game.draw(**asked)
    with pytest.raises(nimatron.NimatronInputError):
        game.draw().svg(theme="pink")


@pytest.mark.parametrize("format", ["latex", "markdown", "html", "text"])
def test_articles_are_those_of_the_command_line(format: str, tmp_path: Path, command) -> None:
    article = Game("CN(5,3)").paper()
    command("paper", "CN(5,3)", "--out", str(tmp_path / "theirs"), "--format", format)
    article.save(tmp_path / "ours", format)
    names = sorted(path.name for path in (tmp_path / "theirs").iterdir())
    assert sorted(path.name for path in (tmp_path / "ours").iterdir()) == names
    for name in names:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name
    with pytest.raises(FileExistsError):
        article.save(tmp_path / "ours")


def test_articles() -> None:
    article = Game("CN(4,2)").paper("a = c, b = d")
    assert article.certificate.verify(game="CN(4,2)", formula="a = c, b = d").accepted
    assert isinstance(article.certificate, Certificate)
    assert "CN(4,2)" in article.text() and "<svg" in article.html()
    assert "\\documentclass" in article.latex() and article.markdown().startswith("#")
    assert article._repr_html_().startswith("<iframe")
    again = pickle.loads(pickle.dumps(article))
    assert again == article and str(again) == str(article) and hash(again) == hash(article)
    with pytest.raises(nimatron.NimatronInputError):
        Game("CN(4,2)").paper("a = c")
    with pytest.raises(nimatron.NimatronUnknown):
        Game("CN(6,2)").paper(time=0.3)
    with pytest.raises(nimatron.NimatronSyntaxError):
        Game("CN(4,2)").paper("a = ")
