"""The part that is written in Rust. Use the package ``nimatron`` instead."""

from os import PathLike
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "Answer",
    "Article",
    "Figure",
    "Game",
    "Survey",
    "__version__",
    "ask",
    "assembled",
    "certificate_game",
    "draw_figure",
    "systems",
    "verify",
]

__version__: str

_Path = Union[str, "PathLike[str]"]

# Seconds, bytes, and a function to be told of progress.
_Bounds = Tuple[Optional[float], Optional[int], Optional[Callable[[int, int], object]]]

@final
class Answer:
    def json(self) -> str: ...
    def text(self, width: int) -> str: ...
    def latex(self) -> Optional[str]: ...
    def certificate(self) -> Optional[bytes]: ...

@final
class Figure:
    def title(self) -> str: ...
    def told(self, pen: str, theme: str) -> str: ...

@final
class Article:
    def title(self) -> str: ...
    def files(self, format: str) -> List[Tuple[str, bytes]]: ...

@final
class Game:
    def __new__(cls, text: str, library: Optional[_Path] = None) -> Game: ...
    def text(self) -> str: ...
    def stacks(self) -> int: ...
    def facets(self) -> List[List[int]]: ...
    def symmetries(self) -> Tuple[int, List[List[int]], List[List[int]]]: ...
    def read_position(self, text: str) -> List[int]: ...
    def learn(self, certificate: bytes, budget: int) -> None: ...
    def solve(
        self, heights: Sequence[int], all_moves: bool, limit: int, bounds: _Bounds
    ) -> Answer: ...
    def after(self, heights: Sequence[int], take: Sequence[int], bounds: _Bounds) -> Answer: ...
    def moves(
        self, heights: Sequence[int], skip: int, limit: int, bounds: _Bounds
    ) -> Answer: ...
    def paper(self, formula: Optional[str], bounds: _Bounds) -> Article: ...
    def many(
        self,
        heights: npt.NDArray[np.uint64],
        moves: bool,
        workers: Optional[int],
        bounds: _Bounds,
    ) -> Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]: ...
    def table(
        self,
        max: Sequence[int],
        threads: Optional[int],
        engine: Optional[str],
        bounds: _Bounds,
    ) -> Tuple[
        npt.NDArray[Any],
        npt.NDArray[np.bool_],
        Tuple[List[int], List[int]],
        Tuple[str, str],
    ]: ...
    def values(
        self, max: Sequence[int], what: str, bounds: _Bounds
    ) -> npt.NDArray[np.uint32]: ...
    def orbit_sizes(
        self, heights: npt.NDArray[np.uint64], max: Sequence[int]
    ) -> npt.NDArray[np.uint64]: ...

@final
class Survey:
    @staticmethod
    def of(game: str, bounds: _Bounds) -> Survey: ...
    def entry(self) -> str: ...
    def certificate(self) -> Optional[bytes]: ...

def ask(
    name: str,
    game: Optional[Game],
    question: str,
    threads: Optional[int],
    bounds: _Bounds,
) -> Answer: ...
def draw_figure(game: Optional[Game], question: str, bounds: _Bounds) -> Figure: ...
def assembled(surveys: Sequence[Tuple[str, Optional[bytes]]], title: str) -> Answer: ...
def systems(stacks: int) -> List[str]: ...
def verify(
    text: bytes,
    name: str,
    game: Optional[str] = None,
    formula: Optional[str] = None,
    budget: int = 1,
) -> Answer: ...
def certificate_game(text: bytes) -> Optional[str]: ...
