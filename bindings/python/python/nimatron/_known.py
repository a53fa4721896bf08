"""What is known about small games, and surveys that find out more."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple, Union

from . import _nimatron
from ._answers import Atlas, Circuits, Conjecture, FamilyGuess, Theorems
from ._errors import NimatronInputError
from ._game import TWO_GIGABYTES, UNLIMITED, Game
from ._input import Memory, Time, asked, bytes_of, seconds, text_of, threads_of, whole
from ._progress import Progress, Telling


def atlas(
    stacks: Optional[int] = None,
    *,
    circular: bool = False,
    slow: bool = False,
    open: bool = False,
    game: Union[None, str, Game] = None,
) -> Atlas:
    """What is known about all small games: ``nimatron atlas``.

    >>> import nimatron
    >>> nimatron.atlas(4)
    <Atlas of 20 games: 18 by theorem, 1 proved here, 1 not known>
    """
    fields = {
        "stacks": None if stacks is None else whole(stacks, "stacks"),
        "circular": bool(circular),
        "slow": bool(slow),
        "open": bool(open),
        "game": None if game is None else str(Game(game)),
    }
    return Atlas(_nimatron.ask("atlas", None, asked(fields), None, UNLIMITED))


def theorems(game: Union[None, str, Game] = None, *, name: Optional[str] = None) -> Theorems:
    """The theorems on which answers rest, or the one about a game: ``nimatron theorems``.

    >>> import nimatron
    >>> nimatron.theorems("Set(ac,ce,be,bd,ad)").names
    ['cn-5-2']
    """
    if game is not None and name is not None:
        raise TypeError("ask for a game or for a name, not for both")
    about = None if game is None else Game(game)
    fields = {
        "game": None if about is None else str(about),
        "show": None if name is None else text_of(name, "a name", "cn-5-2"),
    }
    native = None if about is None else about._native
    return Theorems(_nimatron.ask("theorems", native, asked(fields), None, UNLIMITED))


def circuits(
    game: Union[str, Game],
    *,
    size: Optional[int] = None,
    limit: int = 20,
    time: Time = 10,
    memory: Memory = TWO_GIGABYTES,
    progress: Progress = None,
) -> Circuits:
    """The circuits of a game; circular ones may have more stacks than can be played: ``nimatron circuits``.

    >>> import nimatron
    >>> nimatron.circuits("CN(100,40)").sizes
    (2, 3)
    """
    fields = {
        "game": str(game) if isinstance(game, Game) else text_of(game, "a game", "CN(100,40)"),
        "size": None if size is None else whole(size, "size", 1, 2**32 - 1),
        "limit": whole(limit, "limit", 0, 2**32 - 1),
    }
    with Telling(progress, "counting") as callback:
        bounds = (seconds(time), bytes_of(memory), callback)
        return Circuits(_nimatron.ask("circuits", None, asked(fields), None, bounds))


def guess_family(
    family: str,
    first: int = 3,
    last: int = 6,
    *,
    max: Optional[int] = None,
    time: Time = 10,
    memory: Memory = TWO_GIGABYTES,
    progress: Progress = None,
) -> FamilyGuess:
    """What tables suggest about games with a parameter n: ``nimatron guess --family``. Evidence, no proof.

    >>> import nimatron
    >>> guess = nimatron.guess_family("CN(n,n-1)", 3, 5, max=4)
    >>> [fits for fits in guess.patterns.values()]
    [[3, 4, 5]]
    """
    fields = {
        "game": text_of(family, "a family", "CN(n,n-2)"),
        "family": True,
        "from": whole(first, "first", 1, 32),
        "to": whole(last, "last", 1, 32),
        "max": None if max is None else whole(max, "max", 1, 1_000_000),
    }
    with Telling(progress, "learning") as callback:
        bounds = (seconds(time), bytes_of(memory), callback)
        return FamilyGuess(_nimatron.ask("guess", None, asked(fields), None, bounds))


def conjecture(
    name: str,
    stacks: Optional[int] = None,
    *,
    threads: Optional[int] = None,
    time: Time = None,
    memory: Memory = TWO_GIGABYTES,
    progress: Progress = None,
) -> Conjecture:
    """What can be computed about a conjecture of the papers: ``nimatron conjecture``.

    Names are ``"peeling"``, ``"invariant-vectors"``, ``"matryoshka"``, ``"at-least"``, ``"at-least-corrected"``,
    ``"subset"``, ``"one-more-move"``, ``"misere-m-rule"`` and ``"order-types"``; all but the last need a number
    of stacks.

    >>> import nimatron
    >>> nimatron.conjecture("peeling", 6)
    <Conjecture peeling: holds as far as was looked>
    """
    fields = {
        "name": text_of(name, "a conjecture", "peeling"),
        "stacks": None if stacks is None else whole(stacks, "stacks", 1, 255),
    }
    if threads is not None and name != "peeling":
        raise NimatronInputError("threads does nothing here: only peeling uses several", "useless-option")
    with Telling(progress, "sweeping") as callback:
        bounds = (seconds(time), bytes_of(memory), callback)
        native = _nimatron.ask("conjecture", None, asked(fields), threads_of(threads), bounds)
    return Conjecture(native)


def set_systems(stacks: int) -> List[Game]:
    """All set systems on so many stacks, up to 5, in the order of the atlas.

    >>> import nimatron
    >>> nimatron.set_systems(2)
    [Game('CN(2,2)'), Game('Nim(2)')]
    """
    return [Game(text) for text in _nimatron.systems(whole(stacks, "stacks"))]


class Survey:
    """What a look at one game found: theorems, a proof, or how far the search for one went.

    Surveys can be pickled, so that machines can share the work; ``assemble`` makes an atlas of many.
    """

    def __init__(self, entry: str, certificate: Optional[bytes]) -> None:
        self._entry = entry
        self._certificate = certificate

    @classmethod
    def of(
        cls,
        game: Union[str, Game],
        *,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Survey:
        """Looks at a game for at most so long."""
        with Telling(progress, "surveying") as callback:
            bounds = (seconds(time), bytes_of(memory), callback)
            native = _nimatron.Survey.of(str(Game(game)), bounds)
        return cls(native.entry(), native.certificate())

    @staticmethod
    def assemble(surveys: Iterable[Survey], title: str = "Surveyed games") -> Atlas:
        """An atlas of these games, in this order."""
        text_of(title, "a title", "Surveyed games")
        parts = [(survey._entry, survey._certificate) for survey in surveys]
        return Atlas(_nimatron.assembled(parts, title))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Survey, (self._entry, self._certificate))
