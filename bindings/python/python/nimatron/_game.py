"""Games and questions about them."""

from __future__ import annotations

import os
from typing import Any, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _nimatron
from ._answers import (
    After,
    Check,
    CheatSheet,
    Info,
    Invariants,
    Moves,
    Proof,
    Reduction,
    Subgames,
    Verdict,
)
from ._certificate import Certificate, PathLike, text_of
from ._errors import NimatronInputError, NimatronLimit
from ._input import (
    Memory,
    Position,
    Time,
    array_of,
    box,
    bytes_of,
    heights,
    seconds,
    shown,
    threads_of,
    whole,
)
from ._progress import Progress, Telling
from ._table import Table

TWO_GIGABYTES = 2_000_000_000
FOUR_GIGABYTES = 4_000_000_000


class Game:
    """A Nim game on a set system, in the notation of the command line.

    >>> from nimatron import Game
    >>> game = Game("CN(7,3)")
    >>> game.stacks, game.symmetries
    (7, 14)
    >>> print(game.solve((3, 5, 4, 2, 1, 6, 3)).move)
    Move(take=(1, 2, 0, 0, 0, 0, 2), to=(2, 3, 4, 2, 1, 6, 1))
    >>> Game("Set(ad,abc,bcd)").facets
    ((1, 2, 3), (1, 4), (2, 3, 4))

    Theorems and the proofs that come with the program answer where they can; ``library`` names a directory
    with proofs that were kept by ``nimatron prove --save``. Objects can be pickled, and used by many
    threads at once.
    """

    def __init__(self, text: Union[str, Game], library: Optional[PathLike] = None) -> None:
        if isinstance(text, Game):
            library = text.library if library is None else library
            text = str(text)
        if not isinstance(text, str):
            raise TypeError(f"a game is text such as 'CN(7,3)', not {shown(text)}")
        self._library: Optional[str] = None if library is None else os.path.expanduser(os.fspath(library))
        self._native = _nimatron.Game(text, self._library)
        self._text = self._native.text()
        self._stacks = self._native.stacks()
        self._learned: List[bytes] = []

    @classmethod
    def from_facets(cls, facets: Iterable[Iterable[int]], library: Optional[PathLike] = None) -> Game:
        """The game in which the stacks of any one of these sets may be played; stacks count from 1.

        >>> from nimatron import Game
        >>> Game.from_facets([[1, 2, 3], [2, 3, 4], [1, 4]])
        Game('Set(abc,bcd,ad)')
        """
        if isinstance(facets, str):
            raise TypeError("facets are lists of stack numbers; text goes to Game(...)")
        try:
            sets = [[whole(stack, "a stack", 1, 32) for stack in facet] for facet in facets]
        except TypeError as error:
            raise TypeError(f"facets must be sequences of stack numbers: {error}") from None
        if not sets:
            raise NimatronInputError("there must be at least one facet", "empty")
        return cls(str(sets), library)

    # What the game is like

    @property
    def library(self) -> Optional[str]:
        """The directory of proofs, if one was named."""
        return self._library

    @property
    def stacks(self) -> int:
        """The number of stacks."""
        return self._stacks

    @property
    def facets(self) -> Tuple[Tuple[int, ...], ...]:
        """The sets of stacks that may be played together, with stacks counted from 1."""
        return tuple(tuple(facet) for facet in self._native.facets())

    @property
    def symmetries(self) -> int:
        """How many ways there are to rename the stacks so that the game stays the same."""
        return self._native.symmetries()[0]

    def symmetry_generators(self) -> List[Tuple[int, ...]]:
        """Symmetries that make up all others: for each stack, where it goes."""
        return [tuple(images) for images in self._native.symmetries()[1]]

    def stack_orbits(self) -> List[Tuple[int, ...]]:
        """The stacks that symmetries carry into each other."""
        return [tuple(orbit) for orbit in self._native.symmetries()[2]]

    def info(self) -> Info:
        """Facets, symmetries, components, names, and who solved it: ``nimatron game``."""
        return Info(self._native.info())

    # Questions about positions

    def _heights(self, position: Any, what: str = "heights") -> List[int]:
        if isinstance(position, str):
            return self._native.read_position(position)
        return heights(position, self._stacks, self._text, what)

    def solve(
        self,
        position: Position,
        *,
        all_moves: bool = False,
        limit: int = 20,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Verdict:
        """Who wins at a position, a winning move, and why: ``nimatron solve``.

        A question that is not answered within ``time`` seconds and ``memory`` bytes has a verdict, too: its
        ``outcome`` is ``None``, and it says what was tried. Nothing is guessed.

        >>> from nimatron import Game
        >>> verdict = Game("Set(ad,abc,bcd)").solve((2, 3, 5, 4), all_moves=True)
        >>> verdict.grundy, [move.take for move in verdict.moves]
        (14, [(0, 3, 3, 2), (0, 1, 5, 2), (0, 2, 4, 2)])
        >>> Game("misere Nim(3)").solve("1,1,1").outcome
        'P'
        """
        at = self._heights(position)
        most = whole(limit, "limit", 1, 2**32 - 1)
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "searching") as callback:
            return Verdict(self._native.solve(at, bool(all_moves), most, *bounds, callback))

    def after(
        self,
        position: Position,
        take: Position,
        *,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> After:
        """Makes a move: is it legal, does it win, what is the reply? ``nimatron solve --after``

        >>> from nimatron import Game
        >>> after = Game("CN(4,2)").after((3, 1, 4, 1), (1, 0, 0, 0))
        >>> after.wins, after.reply.take
        (False, (0, 0, 2, 0))
        """
        at, amounts = self._heights(position), self._heights(take, "amounts")
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "searching") as callback:
            return After(self._native.after(at, amounts, *bounds, callback))

    def moves(
        self,
        position: Position,
        *,
        skip: int = 0,
        limit: int = 50,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Moves:
        """Every move and what it leads to, best first: ``nimatron moves``."""
        at = self._heights(position)
        page = (whole(skip, "skip", 0, 2**32 - 1), whole(limit, "limit", 1, 2**32 - 1))
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "looking at moves") as callback:
            return Moves(self._native.moves(at, *page, *bounds, callback))

    def reduce(
        self,
        position: Optional[Position] = None,
        *,
        cone: bool = False,
        invariance: bool = False,
        vectors: Optional[Sequence[Sequence[int]]] = None,
    ) -> Reduction:
        """The game, or a position of it, made smaller: ``nimatron reduce``.

        With ``invariance=True`` tokens are taken off along invariant vectors that theorems or proofs give;
        with ``vectors``, lists of stacks, along these first.
        """
        if position is None and (invariance or vectors is not None):
            raise NimatronInputError("invariant vectors need a position", "useless-option")
        if cone and (invariance or vectors is not None):
            raise NimatronInputError("cone does nothing with invariant vectors", "useless-option")
        at = None if position is None else self._heights(position)
        ones = None
        if vectors is not None:
            ones = [[whole(stack, "a stack", 1, 32) for stack in vector] for vector in vectors]
        return Reduction(self._native.reduce(at, bool(cone), bool(invariance), ones))

    # Questions about many positions

    def outcomes(
        self,
        positions: Any,
        *,
        threads: Optional[int] = 1,
        time: Time = None,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> npt.NDArray[np.str_]:
        """The outcomes of many positions at once: ``"P"``, ``"N"``, or ``"?"`` if not decided.

        The last dimension of the array is the stacks; the answer has the shape of the others. ``threads``
        says how many to use, ``None`` all that the machine has. ``time`` is for the whole call: when it is
        over, ``NimatronLimit`` is raised, whose ``found`` has the answers so far.

        >>> import numpy as np
        >>> from nimatron import Game
        >>> Game("Nim(3)").outcomes([[1, 2, 3], [1, 2, 4], [0, 10**18, 10**18]])
        array(['P', 'N', 'P'], dtype='<U1')
        """
        return self._many(positions, False, threads, time, memory, progress)[0]

    def best_moves(
        self,
        positions: Any,
        *,
        threads: Optional[int] = 1,
        time: Time = None,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> npt.NDArray[np.uint64]:
        """What a winning move takes at each of many positions: zeros where there is none, or none is known.

        >>> import numpy as np
        >>> from nimatron import Game
        >>> Game("Nim(3)").best_moves(np.array([[1, 2, 3], [1, 2, 4]]))
        array([[0, 0, 0],
               [0, 0, 1]], dtype=uint64)
        """
        return self._many(positions, True, threads, time, memory, progress)[1]

    def _many(
        self,
        positions: Any,
        moves: bool,
        threads: Optional[int],
        time: Time,
        memory: Memory,
        progress: Progress,
    ) -> Tuple[npt.NDArray[np.str_], npt.NDArray[np.uint64]]:
        given, shape = array_of(positions, self._stacks, self._text)
        bounds = (threads_of(threads), seconds(time), bytes_of(memory))

        def shaped(
            letters: npt.NDArray[np.uint32], takes: npt.NDArray[np.uint64]
        ) -> Tuple[npt.NDArray[np.str_], npt.NDArray[np.uint64]]:
            outcomes = letters.view("<U1").reshape(shape)
            return outcomes, takes.reshape((*shape, self._stacks) if moves else (0,))

        with Telling(progress, "solving") as callback:
            try:
                return shaped(*self._native.many(given, moves, *bounds, callback))
            except NimatronLimit as limit:
                if limit.found is not None:
                    limit.found = shaped(*limit.found)[1 if moves else 0]
                raise

    def table(
        self,
        max: Union[int, Sequence[int]],
        *,
        threads: Optional[int] = None,
        engine: Optional[str] = None,
        time: Time = None,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Table:
        """All P-positions with heights up to ``max``, for all stacks or one per stack: ``nimatron table``.

        A table that would not fit into ``memory`` bytes or ``time`` seconds raises ``NimatronLimit`` before any
        work is done.
        """
        most = box(max, self._stacks, self._text)
        if engine is not None and not isinstance(engine, str):
            raise TypeError(f"engine must be 'line' or 'blocks', not {shown(engine)}")
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "computing") as callback:
            found = self._native.table(most, threads_of(threads), engine, *bounds, callback)
        return Table(self, tuple(most), *found)

    # Formulas and proofs

    def check(
        self,
        formula: str,
        *,
        max: Union[None, int, Sequence[int]] = None,
        threads: Optional[int] = None,
        time: Time = None,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Check:
        """Compares a formula with the computed P-positions: ``nimatron check``. This is evidence, no proof.

        >>> from nimatron import Game
        >>> Game("CN(4,2)").check("a = c", max=3).counterexample
        (0, 0, 0, 1)
        """
        text = _formula(formula)
        most = None if max is None else box(max, self._stacks, self._text)
        bounds = (threads_of(threads), seconds(time), bytes_of(memory))
        with Telling(progress, "checking") as callback:
            return Check(self._native.check(text, most, *bounds, callback))

    def prove(
        self,
        formula: Optional[str] = None,
        *,
        method: str = "auto",
        time: Time = 45,
        memory: Memory = FOUR_GIGABYTES,
        progress: Progress = None,
    ) -> Proof:
        """Proves that a formula describes the P-positions, for all heights, or refutes it: ``nimatron prove``.

        Without ``formula`` that of the theorem library is proved. ``method`` is ``"auto"``, ``"regions"`` or
        ``"automata"``.
        """
        text = self._native.known_formula() if formula is None else _formula(formula)
        if text is None:
            raise NimatronInputError(
                f"the theorem library has no formula for {self._text}; discover() may find one",
                "no-formula",
            )
        bounds = (_method(method), seconds(time), bytes_of(memory))
        with Telling(progress, "proving") as callback:
            answer, certificate = self._native.prove(text, *bounds, callback)
        return _proof(answer, certificate, self._text)

    def discover(
        self,
        *,
        method: str = "auto",
        formula: bool = True,
        time: Time = 45,
        memory: Memory = FOUR_GIGABYTES,
        progress: Progress = None,
    ) -> Proof:
        """Finds the P-positions and proves them, for all heights, with no formula given: ``nimatron discover``.

        ``method`` is ``"auto"``, ``"matryoshka"`` or ``"automata"``.

        >>> from nimatron import Game
        >>> proof = Game("Set(ab,ac,bc,ad)").discover(time=None)
        >>> proof.formula
        '(a = 0, d = b+c) or (b = c = a+d, a > 0)'
        """
        bounds = (_method(method), bool(formula), seconds(time), bytes_of(memory))
        with Telling(progress, "searching") as callback:
            answer, certificate = self._native.discover(*bounds, callback)
        return _proof(answer, certificate, self._text)

    def learn(self, certificate: Certificate, budget: int = 1) -> None:
        """Has a certificate checked and answers by it from now on."""
        text = text_of(certificate)
        self._native.learn(text, whole(budget, "budget", 1, 1_000_000))
        self._learned.append(text)

    # What is known

    def invariants(
        self,
        *,
        max: Optional[int] = None,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Invariants:
        """The invariant vectors: those that are proved, and what a table says: ``nimatron invariants``.

        >>> from nimatron import Game
        >>> Game("CN(6,3)").invariants(max=2).known
        [(1, 4), (2, 5), (3, 6), (1, 3, 5), (2, 4, 6)]
        """
        most = None if max is None else whole(max, "max", 1, 1_000_000)
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "computing a table") as callback:
            return Invariants(self._native.invariants(most, *bounds, callback))

    def cheatsheet(
        self,
        *,
        cases: bool = False,
        detect: bool = False,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> CheatSheet:
        """How to win by invariant vectors, or by peeling: ``nimatron cheatsheet``."""
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "computing a table") as callback:
            return CheatSheet(self._native.cheatsheet(bool(cases), bool(detect), *bounds, callback))

    def subgames(
        self,
        *,
        limit: Optional[int] = None,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Subgames:
        """The games that are left when stacks are empty: ``nimatron subgames``."""
        most = None if limit is None else whole(limit, "limit", 0, 2**32 - 1)
        bounds = (seconds(time), bytes_of(memory))
        with Telling(progress, "emptying stacks") as callback:
            return Subgames(self._native.subgames(most, *bounds, callback))

    # Python's habits

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        library = "" if self._library is None else f", library={self._library!r}"
        return f"Game({self._text!r}{library})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self._text, self._library) == (other._text, other._library)

    def __hash__(self) -> int:
        return hash((self._text, self._library))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_restored, (self._text, self._library, tuple(self._learned)))


def _restored(text: str, library: Optional[str], learned: Tuple[bytes, ...]) -> Game:
    game = Game(text, library)
    for certificate in learned:
        game.learn(Certificate(certificate))
    return game


def _formula(formula: Any) -> str:
    if not isinstance(formula, str):
        raise TypeError(f"a formula is text such as 'a = c, b = d', not {shown(formula)}")
    # Line ends mean nothing in a formula, and errors are shown in one line.
    return formula.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")


def _method(method: Any) -> str:
    if not isinstance(method, str):
        raise TypeError(f"a method is a word such as 'auto', not {shown(method)}")
    return method


def _proof(answer: _nimatron.Answer, certificate: Optional[bytes], game: str) -> Proof:
    proof = Proof(answer)
    if certificate is not None:
        proof.certificate = Certificate(certificate, f"certificate of {game}")
    return proof
