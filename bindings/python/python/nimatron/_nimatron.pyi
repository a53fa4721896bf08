"""The part that is written in Rust. Use the package ``nimatron`` instead."""

from os import PathLike
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt
from typing import final

__version__: str

_Progress = Optional[Callable[[int, int], object]]
_Path = Union[str, "PathLike[str]"]

@final
class Answer:
    def json(self) -> str: ...
    def text(self, width: int) -> str: ...
    def latex(self) -> Optional[str]: ...

@final
class Game:
    def __new__(cls, text: str, library: Optional[_Path] = None) -> Game: ...
    def text(self) -> str: ...
    def stacks(self) -> int: ...
    def facets(self) -> List[List[int]]: ...
    def symmetries(self) -> Tuple[int, List[List[int]], List[List[int]]]: ...
    def read_position(self, text: str) -> List[int]: ...
    def learn(self, certificate: bytes, budget: int) -> None: ...
    def info(self) -> Answer: ...
    def solve(
        self,
        heights: Sequence[int],
        all_moves: bool,
        limit: int,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def after(
        self,
        heights: Sequence[int],
        take: Sequence[int],
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def moves(
        self,
        heights: Sequence[int],
        skip: int,
        limit: int,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def reduce(
        self,
        heights: Optional[Sequence[int]],
        cone: bool,
        invariance: bool,
        vectors: Optional[Sequence[Sequence[int]]],
    ) -> Answer: ...
    def check(
        self,
        formula: str,
        max: Optional[Sequence[int]],
        threads: Optional[int],
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def invariants(
        self,
        max: Optional[int],
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def cheatsheet(
        self,
        cases: bool,
        detect: bool,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def subgames(
        self,
        limit: Optional[int],
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Answer: ...
    def known_formula(self) -> Optional[str]: ...
    def prove(
        self,
        formula: str,
        method: str,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Tuple[Answer, Optional[bytes]]: ...
    def discover(
        self,
        method: str,
        formula: bool,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Tuple[Answer, Optional[bytes]]: ...
    def many(
        self,
        heights: npt.NDArray[np.uint64],
        moves: bool,
        threads: Optional[int],
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]: ...
    def table(
        self,
        max: Sequence[int],
        threads: Optional[int],
        engine: Optional[str],
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Tuple[
        npt.NDArray[Any],
        npt.NDArray[np.bool_],
        Tuple[List[int], List[int]],
        Tuple[str, str],
    ]: ...
    def values(
        self,
        max: Sequence[int],
        what: str,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> npt.NDArray[np.uint32]: ...
    def orbit_sizes(
        self, heights: npt.NDArray[np.uint64], max: Sequence[int]
    ) -> npt.NDArray[np.uint64]: ...

@final
class Survey:
    @staticmethod
    def of(
        game: str,
        time: Optional[float],
        memory: Optional[int],
        progress: _Progress = None,
    ) -> Survey: ...
    def entry(self) -> str: ...
    def certificate(self) -> Optional[bytes]: ...

def assembled(surveys: Sequence[Tuple[str, Optional[bytes]]], title: str) -> Answer: ...
def atlas(
    stacks: Optional[int] = None,
    circular: bool = False,
    slow: bool = False,
    open: bool = False,
    game: Optional[str] = None,
) -> Answer: ...
def atlas_games() -> List[str]: ...
def systems(stacks: int) -> List[str]: ...
def theorems(game: Optional[Game] = None, name: Optional[str] = None) -> Answer: ...
def verify(
    text: bytes,
    name: str,
    game: Optional[str] = None,
    formula: Optional[str] = None,
    budget: int = 1,
) -> Answer: ...
def certificate_game(text: bytes) -> Optional[str]: ...
