"""What is known about small games, and surveys that find out more."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple, Union

from . import _nimatron
from ._answers import Atlas, Theorems
from ._game import Game
from ._input import Memory, Time, bytes_of, seconds, whole
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
    if sum((stacks is not None, circular, slow, game is not None)) > 1:
        raise TypeError("ask for stacks, circular, slow or one game, not for several of them")
    count = None if stacks is None else whole(stacks, "stacks")
    about = None if game is None else str(game)
    return Atlas(_nimatron.atlas(count, bool(circular), bool(slow), bool(open), about))


def theorems(game: Union[None, str, Game] = None, *, name: Optional[str] = None) -> Theorems:
    """The theorems on which answers rest, or the one about a game: ``nimatron theorems``.

    >>> import nimatron
    >>> nimatron.theorems("Set(ac,ce,be,bd,ad)").names
    ['cn-5-2']
    """
    if game is not None and name is not None:
        raise TypeError("ask for a game or for a name, not for both")
    about = None if game is None else Game(game)._native
    return Theorems(_nimatron.theorems(about, name))


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
        memory: Memory = 2_000_000_000,
        progress: Progress = None,
    ) -> Survey:
        """Looks at a game for at most so long."""
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "surveying") as callback:
            native = _nimatron.Survey.of(str(game), *bounds, callback)
        return cls(native.entry(), native.certificate())

    @staticmethod
    def assemble(surveys: Iterable[Survey], title: str = "Surveyed games") -> Atlas:
        """An atlas of these games, in this order."""
        parts = [(survey._entry, survey._certificate) for survey in surveys]
        return Atlas(_nimatron.assembled(parts, title))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Survey, (self._entry, self._certificate))
