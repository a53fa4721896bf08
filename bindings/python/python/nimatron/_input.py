"""What Python's numbers and sequences have to be before they are handed on."""

from __future__ import annotations

import datetime
import math
import operator
from typing import Any, List, Optional, Sequence, Tuple, Union

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


def array_of(positions: Any, stacks: int, game: str) -> Tuple[npt.NDArray[np.uint64], Tuple[int, ...]]:
    """Positions one after the other, and the shape of the answers."""
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
    if array.ndim == 0 or array.shape[-1] != stacks:
        if array.size == 0 and array.ndim == 1:
            return np.zeros(0, dtype=np.uint64), (0,)
        raise NimatronInputError(
            f"{game} has {stacks} stacks, but the array has the shape {array.shape}: its last "
            "dimension must be the stacks",
            "shape",
        )
    if array.size:
        if array.dtype.kind == "i" and int(array.min()) < 0:
            raise NimatronInputError("heights must be at least 0, but some are negative", "too-small")
        if array.dtype == np.uint64 and int(array.max()) > MAX_HEIGHT:
            raise NimatronInputError("heights must be at most 2^63-1", "too-large")
    # A copy in any case: nobody else writes to it.
    return np.array(array, dtype=np.uint64, order="C", copy=True).reshape(-1), array.shape[:-1]
