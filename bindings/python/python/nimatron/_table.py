"""Whole boxes of positions as NumPy arrays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._input import PIECE, Memory, Positions, Time, bytes_of, seconds
from ._progress import Progress, Telling

if TYPE_CHECKING:
    import os

    from ._game import Game

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def names(stacks: int) -> List[str]:
    """What stacks are called."""
    return list(LETTERS[:stacks]) if stacks <= 26 else [f"x{i + 1}" for i in range(stacks)]


class Table:
    """All P-positions with heights up to a bound.

    >>> import nimatron
    >>> table = nimatron.Game("CN(5,2)").table(max=9)
    >>> table.count, table.orbits, table.positions
    (835, 125, 100000)
    >>> table.p_positions()[:3]
    array([[0, 0, 0, 0, 0],
           [0, 0, 1, 0, 1],
           [0, 0, 2, 0, 2]], dtype=uint8)
    """

    def __init__(
        self,
        game: Game,
        max: Tuple[int, ...],
        rows: npt.NDArray[Any],
        least: npt.NDArray[np.bool_],
        by_height: Tuple[List[int], List[int]],
        summary: Tuple[str, str],
    ) -> None:
        self._game = game
        self._max = max
        self._rows = rows.reshape(-1, len(max)) if len(max) else rows.reshape(len(least), 0)
        self._least = least
        for array in (self._rows, self._least):
            array.flags.writeable = False
        self._by_height = by_height
        self._summary = summary
        self._values: Dict[str, npt.NDArray[np.uint32]] = {}
        self._places: Optional[npt.NDArray[np.int64]] = None

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    @property
    def max(self) -> Tuple[int, ...]:
        """The greatest height of each stack."""
        return self._max

    @property
    def count(self) -> int:
        """How many P-positions there are in the box."""
        return len(self._rows)

    @property
    def orbits(self) -> Optional[int]:
        """How many there are up to symmetry, where the symmetries are known."""
        orbits: Optional[int] = json.loads(self._summary[0])["p_orbits"]
        return orbits

    @property
    def positions(self) -> int:
        """How many positions the box has."""
        return int(json.loads(self._summary[0])["positions"])

    def p_positions(self) -> npt.NDArray[Any]:
        """The P-positions in lexicographic order, one per row: the array itself, which is read-only."""
        return self._rows

    def representatives(self) -> Tuple[npt.NDArray[Any], npt.NDArray[np.uint64]]:
        """The least P-position of each orbit under the symmetries of the game, and the sizes of the orbits."""
        rows = np.empty((int(self._least.sum()), len(self._max)), dtype=self._rows.dtype)
        sizes = np.empty(len(rows), dtype=np.uint64)
        filled = 0
        for start in range(0, self.count, PIECE):
            piece = self._rows[start : start + PIECE][self._least[start : start + PIECE]]
            heights = np.ascontiguousarray(piece, dtype=np.uint64).reshape(-1)
            end = filled + len(piece)
            rows[filled:end] = piece
            sizes[filled:end] = self._game._native.orbit_sizes(heights, self._max)
            filled = end
        return rows, sizes

    @property
    def by_height(self) -> npt.NDArray[np.int64]:
        """How many P-positions have the greatest height 0, 1, 2, ..."""
        return np.array(self._by_height[0], dtype=np.int64)

    def contains(self, positions: Any) -> npt.NDArray[np.bool_]:
        """Whether positions, one per row, are P-positions of the box."""
        given = Positions(positions, len(self._max), str(self._game))
        found = np.zeros(given.count, dtype=np.bool_)
        if self._places is None:
            self._places = np.empty(self.count, dtype=np.int64)
            for start in range(0, self.count, PIECE):
                self._places[start : start + PIECE] = self._numbered(self._rows[start : start + PIECE])
        known = self._places
        bounds = np.array(self._max, dtype=np.uint64)
        for start, heights in given.pieces():
            rows = heights.reshape(-1, len(self._max))
            inside = np.asarray((rows <= bounds).all(axis=1))
            wanted = self._numbered(np.where(inside[:, None], rows, 0))
            place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
            found[start : start + len(rows)] = inside & (known[place] == wanted)
        return found.reshape(given.shape)

    def _numbered(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The places of positions in the order of the box."""
        places = np.zeros(len(rows), dtype=np.int64)
        for column, bound in zip(rows.T, self._max):
            places = places * (bound + 1) + column.astype(np.int64)
        return places

    def outcomes(self) -> npt.NDArray[np.bool_]:
        """The whole box as an array with one dimension per stack: whether a position is P."""
        shape = tuple(bound + 1 for bound in self._max)
        found = np.zeros(shape, dtype=np.bool_)
        for start in range(0, self.count, PIECE):
            found[tuple(self._rows[start : start + PIECE].T)] = True
        return found

    def grundy(
        self, *, time: Time = None, memory: Memory = 2_000_000_000, progress: Progress = None
    ) -> npt.NDArray[np.uint32]:
        """The Grundy values of the box, as an array with one dimension per stack.

        >>> import nimatron
        >>> values = nimatron.Game("CN(3,2)").table(max=4).grundy()
        >>> values.shape, int(values[2, 3, 4])
        ((5, 5, 5), 9)
        """
        return self._value("grundy", time, memory, progress)

    def remoteness(
        self, *, time: Time = None, memory: Memory = 2_000_000_000, progress: Progress = None
    ) -> npt.NDArray[np.uint32]:
        """How many moves best play lasts from each position of the box."""
        return self._value("remoteness", time, memory, progress)

    def _value(
        self, what: str, time: Time, memory: Memory, progress: Progress
    ) -> npt.NDArray[np.uint32]:
        if what not in self._values:
            with Telling(progress, "values") as callback:
                bounds = (seconds(time), bytes_of(memory), callback)
                entries = self._game._native.values(self._max, what, bounds)
            values = entries.reshape(tuple(bound + 1 for bound in self._max))
            values.flags.writeable = False
            self._values[what] = values
        return self._values[what]

    def columns(self) -> Dict[str, npt.NDArray[Any]]:
        """The P-positions by column, for ``pandas.DataFrame``, ``pyarrow.table`` and the like.

        >>> import nimatron
        >>> list(nimatron.Game("CN(3,2)").table(max=1).columns().items())
        [('a', array([0, 1], dtype=uint8)), ('b', array([0, 1], dtype=uint8)), ('c', array([0, 1], dtype=uint8))]
        """
        return {name: self._rows[:, i] for i, name in enumerate(names(len(self._max)))}

    def to_csv(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the P-positions as comma-separated values, with the names of the stacks above them."""
        header = ",".join(names(len(self._max)))
        np.savetxt(path, self._rows, fmt="%d", delimiter=",", header=header, comments="")

    def to_dict(self) -> Dict[str, Any]:
        """The summary that the command line prints with ``--json``."""
        summary: Dict[str, Any] = json.loads(self._summary[0])
        return summary

    def __len__(self) -> int:
        return self.count

    def __str__(self) -> str:
        return self._summary[1].rstrip("\n")

    def __repr__(self) -> str:
        same = len(set(self._max)) == 1
        bound = str(self._max[0]) if same else str(self._max)
        return f"<Table {self._game}, max {bound}: {self.count:,} P-positions>"

    def __reduce__(self) -> Tuple[Any, ...]:
        parts = (self._rows, self._least, self._by_height, self._summary)
        return (_restored, (self._game, self._max, *parts))


def _restored(
    game: Game,
    max: Tuple[int, ...],
    rows: npt.NDArray[Any],
    least: npt.NDArray[np.bool_],
    by_height: Tuple[List[int], List[int]],
    summary: Tuple[str, str],
) -> Table:
    return Table(game, max, np.array(rows), np.array(least), by_height, summary)
