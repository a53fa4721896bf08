"""Many positions at once, and tables, as NumPy arrays."""

import itertools

import numpy as np
import pytest

import nimatron
from conftest import GAMES
from nimatron import Game


def positions(game: Game, count: int, tallest: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, tallest, size=(count, game.stacks), endpoint=True)


@pytest.mark.parametrize("text,tallest", GAMES)
def test_many_are_answered_as_one(text: str, tallest: int) -> None:
    game = Game(text)
    asked = positions(game, 40, tallest)
    asked[::2] = np.minimum(asked[::2], 3)
    outcomes, takes = game.outcomes(asked), game.best_moves(asked)
    assert outcomes.shape == (40,) and takes.shape == asked.shape
    for at, outcome, take in zip(asked, outcomes, takes):
        verdict = game.solve(at)
        assert outcome == verdict.outcome
        if verdict.move is None:
            assert not take.any()
        else:
            assert game.after(at, take).wins is True


def test_shapes_and_types() -> None:
    game = Game("CN(4,2)")
    asked = positions(game, 24, 5)
    expected = game.outcomes(asked)
    assert expected.dtype == np.dtype("<U1")
    for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, ">i8", ">u4"):
        assert (game.outcomes(asked.astype(dtype)) == expected).all()
    assert game.outcomes(asked.reshape(2, 3, 4, 4)).shape == (2, 3, 4)
    assert game.best_moves(asked.reshape(2, 12, 4)).shape == (2, 12, 4)
    assert game.outcomes(asked[0]).shape == ()
    assert (game.outcomes(np.asfortranarray(asked)) == expected).all()
    wide = np.zeros((24, 8), dtype=np.int64)
    wide[:, ::2] = asked
    assert (game.outcomes(wide[:, ::2]) == expected).all()
    assert (game.outcomes(asked[::-1]) == expected[::-1]).all()
    assert (game.outcomes(asked.tolist()) == expected).all()
    assert game.outcomes([]).shape == (0,)
    assert game.outcomes(np.zeros((0, 4), dtype=int)).shape == (0,)
    assert (game.outcomes(asked, threads=2) == expected).all()
    assert (game.outcomes(asked, threads=None) == expected).all()
    frozen = asked.copy()
    frozen.flags.writeable = False
    assert (game.outcomes(frozen) == expected).all()


def test_the_tallest() -> None:
    game = Game("CN(9,4)")
    top = 2**63 - 1
    asked = np.full((3, 9), top, dtype=np.uint64)
    asked[1, 0] = 0
    assert game.outcomes(asked).tolist() == ["P", game.solve(asked[1]).outcome, "P"]


def test_unknown_is_unknown() -> None:
    game = Game("CN(17,6)")
    heights = [90, 81, 72, 63, 54, 45, 36, 27, 18, 900, 810, 720, 630, 540, 450, 360, 270]
    assert game.outcomes([heights]).tolist() == ["?"]
    assert not game.best_moves([heights]).any()
    verdict = game.solve(heights)
    assert verdict.outcome is None and not verdict.decided and verdict.conjecture["outcome"] == "N"
    assert "not decided" in repr(verdict)


def brute_force(game: Game, max: int) -> np.ndarray:
    """The P-positions by definition, in plain Python."""
    lost = set()
    facets = [[stack - 1 for stack in facet] for facet in game.facets]
    for at in itertools.product(range(max + 1), repeat=game.stacks):
        wins = False
        for facet in facets:
            for rest in itertools.product(*(range(at[s] + 1) for s in facet)):
                to = list(at)
                for stack, height in zip(facet, rest):
                    to[stack] = height
                if tuple(to) != at and tuple(to) in lost:
                    wins = True
                    break
            if wins:
                break
        if not wins:
            lost.add(at)
    return np.array(sorted(lost))


@pytest.mark.parametrize("text", ["CN(4,2)", "CN(5,3)", "Set(ad,abc,bcd)", "PN(4,2)", "Nim(3)"])
def test_tables_are_what_the_definition_says(text: str) -> None:
    game = Game(text)
    expected = brute_force(game, 3)
    table = game.table(max=3)
    assert (table.p_positions() == expected).all()
    assert (game.outcomes(expected) == "P").all()
    everything = np.array(list(itertools.product(range(4), repeat=game.stacks)))
    is_lost = table.outcomes().reshape(-1)
    assert ((game.outcomes(everything) == "P") == is_lost).all()
    assert (table.contains(everything) == is_lost).all()
    assert not table.contains(everything + 4).any()
    assert ((table.grundy() == 0) == table.outcomes()).all()
    assert table.by_height.sum() == table.count == len(table)
    rows, sizes = table.representatives()
    assert len(rows) == table.orbits and sizes.sum() == table.count
    assert set(table.columns()) == set("abcde"[: game.stacks])
    assert not table.p_positions().flags.writeable


def test_table_bounds_and_types(tmp_path) -> None:
    game = Game("CN(3,2)")
    table = game.table(max=(2, 300, 5))
    assert table.p_positions().dtype == np.uint16 and table.count == 3
    assert table.grundy().shape == (3, 301, 6)
    assert table.remoteness()[0, 0, 0] == 0
    tall = Game("Nim(2)").table(max=(70_000, 1))
    assert tall.p_positions().dtype == np.uint32 and tall.p_positions().tolist() == [[0, 0], [1, 1]]
    table.to_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "a,b,c\n0,0,0\n1,1,1\n2,2,2\n"
    for engine in ("line", "blocks"):
        assert Game("CN(5,2)").table(max=9, engine=engine).count == 835
    misere = Game("misere CN(3,2)").table(max=2)
    with pytest.raises(nimatron.NimatronInputError):
        misere.grundy()
