"""What Python's numbers and sequences have to be before they are handed on."""

from __future__ import annotations

import datetime
import json
import math
import operator
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._errors import NimatronInputError

#: Heights go up to this.
MAX_HEIGHT = 2**63 - 1

Position = Union[str, Sequence[int], "npt.NDArray[Any]"]
Time = Union[None, int, float, datetime.timedelta]
Memory = Union[None, int, float]


def whole(value: Any, what: str, least: int = 0, most: int = MAX_HEIGHT) -> int:
    """A whole number within bounds; ``True`` and ``2.0`` are none."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be a whole number, not {shown(value)}") from None
    if number < least:
        raise NimatronInputError(f"{what} must be at least {least}, not {shown(number)}", "too-small")
    if number > most:
        bound = "2^63-1" if most == MAX_HEIGHT else str(most)
        raise NimatronInputError(f"{what} must be at most {bound}, not {shown(number)}", "too-large")
    return number


def shown(value: object) -> str:
    """A value in an error message, cut if it is long."""
    try:
        text = repr(value)
    except Exception:  # whatever a foreign class does
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def heights(position: Any, stacks: int, game: str, what: str = "heights") -> List[int]:
    """One whole number per stack."""
    if isinstance(position, np.ndarray) and position.ndim != 1:
        raise NimatronInputError(
            f"a position has one dimension, not {position.ndim}: for many positions there are "
            "outcomes() and best_moves()",
            "shape",
        )
    if isinstance(position, (bytes, dict, set, frozenset)):
        raise TypeError(f"a position is a sequence of whole numbers, not {shown(position)}")
    try:
        given = list(position)
    except TypeError:
        raise TypeError(f"a position is a sequence of whole numbers, not {shown(position)}") from None
    if len(given) != stacks:
        raise NimatronInputError(
            f"{game} has {stacks} stacks, but {len(given)} {what} are given", "wrong-count"
        )
    return [whole(height, f"the height of stack {i + 1}") for i, height in enumerate(given)]


def box(max: Any, stacks: int, game: str) -> List[int]:
    """The greatest heights of a box: one for all stacks, or one for each."""
    if isinstance(max, str):
        raise TypeError(f"max must be a whole number or one for each stack, not {shown(max)}")
    try:
        count = len(max)
    except TypeError:
        return [whole(max, "max")] * stacks
    if count != stacks:
        raise NimatronInputError(
            f"{game} has {stacks} stacks, but {count} greatest heights are given", "wrong-count"
        )
    return [whole(height, "max") for height in max]


def seconds(time: Time) -> Optional[float]:
    """A limit of time; ``None`` is no limit."""
    if time is None:
        return None
    if isinstance(time, datetime.timedelta):
        time = time.total_seconds()
    if isinstance(time, bool) or not isinstance(time, (int, float, np.integer, np.floating)):
        raise TypeError(f"time must be a number of seconds, not {shown(time)}")
    number = float(time)
    if math.isnan(number) or number < 0:
        raise NimatronInputError(f"time must be a number of seconds, not {shown(time)}", "time")
    # Longer than anybody waits is as good as no limit.
    return None if number > 1e9 else number


def bytes_of(memory: Memory) -> Optional[int]:
    """A limit of memory, in bytes; ``None`` is no limit."""
    if memory is None:
        return None
    if isinstance(memory, (float, np.floating)):
        if not math.isfinite(memory):
            raise NimatronInputError(f"memory must be a number of bytes, not {memory!r}", "memory")
        memory = int(memory)
    number = whole(memory, "memory", most=2**200)
    return None if number >= 2**64 else number


def threads_of(threads: Optional[int]) -> Optional[int]:
    """How many threads; ``None`` is all that the machine has."""
    return None if threads is None else whole(threads, "threads", 1, 1024)


def asked(fields: Dict[str, Any], **more: Any) -> str:
    """A question of the protocol, without what was not asked for."""
    return json.dumps({name: value for name, value in {**more, **fields}.items() if value is not None})


def word(value: Any, what: str, known: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {shown(value)}")
    if value not in known:
        raise NimatronInputError(
            f"there is no {what} {shown(value)}: known are {', '.join(known)}", what
        )
    return value


def text_of(value: Any, what: str, example: str) -> str:
    """Text without characters that are none."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is text such as {example!r}, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NimatronInputError(f"{what} must be text, not {shown(value)}", "text") from None
    return value


def stack_set(stacks: Any, count: int) -> str:
    """Stacks by their letters: from letters, or from numbers that count from 1."""
    if isinstance(stacks, str):
        return text_of(stacks, "a set of stacks", "ac")
    try:
        numbers = list(stacks)
    except TypeError:
        raise TypeError(f"stacks are letters such as 'ac', or numbers, not {shown(stacks)}") from None
    return "".join(chr(96 + whole(stack, "a stack", 1, min(count, 26))) for stack in numbers)


#: Positions that are converted at a time: between two pieces signals are heard.
PIECE = 1 << 18


class Positions:
    """Positions from an array of any integer type, order and number of dimensions, piece by piece.

    Nothing is copied as a whole, so that large arrays need little more memory than they have.
    """

    def __init__(self, positions: Any, stacks: int, game: str) -> None:
        if isinstance(positions, np.ma.MaskedArray):
            raise TypeError("positions must not be masked")
        if isinstance(positions, str):
            raise TypeError("positions must be an array of whole numbers, not text")
        try:
            array = np.asarray(positions)
        except (ValueError, OverflowError) as error:
            raise NimatronInputError(f"positions are no array: {error}", "shape") from None
        if array.dtype.kind not in "iu":
            if array.size == 0 and array.dtype.kind == "f" and not isinstance(positions, np.ndarray):
                array = array.astype(np.uint64)  # an empty list has no type of its own
            else:
                raise TypeError(
                    f"positions must be whole numbers up to 2^63-1, but the array has the type {array.dtype}"
                )
        if array.size == 0 and array.ndim == 1:
            array = array.reshape(0, stacks)
        if array.ndim == 0 or array.shape[-1] != stacks:
            raise NimatronInputError(
                f"{game} has {stacks} stacks, but the array has the shape {array.shape}: its last "
                "dimension must be the stacks",
                "shape",
            )
        self._array: npt.NDArray[Any] = array
        #: The shape of the answers.
        self.shape: Tuple[int, ...] = array.shape[:-1]
        self.count: int = math.prod(self.shape)
        rows = array.ndim == 2 or array.flags.c_contiguous
        self._rows: Optional[npt.NDArray[Any]] = array.reshape(-1, stacks) if rows and stacks else None
        for start in range(0, self.count, PIECE):
            self._look_at(self._given(start))

    def _given(self, start: int) -> npt.NDArray[Any]:
        stop = min(start + PIECE, self.count)
        if self._rows is not None:
            return self._rows[start:stop]
        return np.asarray(self._array[np.unravel_index(np.arange(start, stop), self.shape)])

    @staticmethod
    def _look_at(piece: npt.NDArray[Any]) -> None:
        if piece.size == 0:
            return
        if piece.dtype.kind == "i" and int(piece.min()) < 0:
            raise NimatronInputError("heights must be at least 0, but some are negative", "too-small")
        if piece.dtype.kind == "u" and piece.dtype.itemsize == 8 and int(piece.max()) > MAX_HEIGHT:
            raise NimatronInputError("heights must be at most 2^63-1", "too-large")

    def pieces(self) -> Iterator[Tuple[int, npt.NDArray[np.uint64]]]:
        """The place of the first position of each piece, and the heights one after the other, copied."""
        for start in range(0, self.count, PIECE):
            yield start, np.array(self._given(start), dtype=np.uint64, order="C", copy=True).reshape(-1)
