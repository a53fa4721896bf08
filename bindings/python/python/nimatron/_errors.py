"""What goes wrong."""

from __future__ import annotations

import json
from typing import Any, Optional, Tuple

__all__ = [
    "NimatronError",
    "NimatronInputError",
    "NimatronInternalError",
    "NimatronLimit",
    "NimatronSyntaxError",
    "NimatronUnknown",
]


class NimatronError(Exception):
    """The common base of all exceptions of this package.

    ``kind`` is a word that stays the same from version to version, for programs.
    """

    def __init__(self, message: str, kind: str = "error") -> None:
        super().__init__(message, kind)
        self.message: str = message
        self.kind: str = kind

    def __str__(self) -> str:
        return self.message


class NimatronInputError(NimatronError, ValueError):
    """A question that makes no sense: heights that do not fit the game, an unknown method.

    >>> import nimatron
    >>> nimatron.Game("CN(3,2)").solve((1, 2))
    Traceback (most recent call last):
        ...
    nimatron.NimatronInputError: CN(3,2) has 3 stacks, but 2 heights are given
    """


class NimatronSyntaxError(NimatronInputError):
    """A game, a position or a formula that cannot be read.

    ``message`` says what is wrong, ``text`` is what was written, ``span`` tells where it goes wrong (the
    first character, and the one after the last), ``hint`` is something to write instead, if there is
    anything.

    >>> import nimatron
    >>> nimatron.Game("CN(3,7)")
    Traceback (most recent call last):
        ...
    nimatron.NimatronSyntaxError: the size of a move set must be from 1 to 3, not 7
      GAME | CN(3,7)
           |      ^
      help: try CN(7,3)
    """

    def __init__(
        self,
        shown: str,
        kind: str = "error",
        message: Optional[str] = None,
        text: Optional[str] = None,
        span: Optional[Tuple[int, int]] = None,
        hint: Optional[str] = None,
    ) -> None:
        super().__init__(shown, kind)
        self.args: Tuple[Any, ...] = (shown, kind, message, text, span, hint)
        self.shown: str = shown
        self.message: str = shown if message is None else message
        self.text = text
        self.span = span
        self.hint = hint

    def __str__(self) -> str:
        return self.shown


class NimatronLimit(NimatronError):
    """The limit of time or memory was reached before there was anything to return.

    ``kind`` is ``"time"``, ``"memory"`` or ``"work"``. ``found`` is what was found so far: of a table, a
    dictionary with the documented JSON of its summary, whose ``"rows"`` are an array with the P-positions that
    were met; of many positions, an array with the answers so far; or ``None``.

    >>> import nimatron
    >>> try:
    ...     nimatron.Game("CN(8,3)").table(max=100, memory=1_000_000)
    ... except nimatron.NimatronLimit as limit:
    ...     print(limit.kind, limit.found["refused"]["memory_limit"])
    memory 1000000
    """

    def __init__(self, message: str, kind: str = "limit", found: Any = None) -> None:
        super().__init__(message, kind)
        self.args: Tuple[Any, ...] = (message, kind, found)
        self.found: Any = json.loads(found) if isinstance(found, str) else found


class NimatronUnknown(NimatronError, LookupError):
    """Nobody knows: no theorem or proof is known, or found within the limits, from which to answer.

    >>> import nimatron
    >>> nimatron.Game("CN(6,2)").prove()
    Traceback (most recent call last):
        ...
    nimatron.NimatronUnknown: the theorem library has no formula for CN(6,2)
    """


class NimatronInternalError(NimatronError, RuntimeError):
    """A mistake in the program. Please report it with the question that led to it."""


# They are known by the name under which they are imported.
for _class in (
    NimatronError,
    NimatronInputError,
    NimatronInternalError,
    NimatronLimit,
    NimatronSyntaxError,
    NimatronUnknown,
):
    _class.__module__ = "nimatron"
del _class
