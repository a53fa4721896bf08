"""Games and questions about them."""

from __future__ import annotations

import builtins
import json
import os
from time import monotonic
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _nimatron
from ._answers import (
    After,
    Check,
    CheatSheet,
    Circuits,
    Comparison,
    Guess,
    Info,
    Invariants,
    Moves,
    Proof,
    Reduction,
    Subgames,
    Verdict,
)
from ._certificate import Certificate, PathLike, bytes_of_certificate
from ._errors import NimatronInputError, NimatronLimit
from ._figure import Article, Figure
from ._input import (
    PIECE,
    Memory,
    Position,
    Positions,
    Time,
    asked,
    box,
    bytes_of,
    heights,
    seconds,
    shown,
    stack_set,
    text_of,
    threads_of,
    whole,
)
from ._progress import Callback, Progress, Telling
from ._table import Table

TWO_GIGABYTES = 2_000_000_000
FOUR_GIGABYTES = 4_000_000_000

#: No limits, and nobody to be told.
UNLIMITED: Tuple[None, None, None] = (None, None, None)


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
        return Info(self._ask("game", None, UNLIMITED))

    def circuits(
        self,
        *,
        size: Optional[int] = None,
        limit: int = 20,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Circuits:
        """The minimal sets of stacks that no set of the game contains: ``nimatron circuits``."""
        fields = {
            "size": None if size is None else whole(size, "size", 1, 2**32 - 1),
            "limit": whole(limit, "limit", 0, 2**32 - 1),
        }
        return Circuits(self._ask("circuits", "counting", (time, memory, progress), fields))

    def draw(
        self,
        position: Optional[Position] = None,
        *,
        what: Optional[str] = None,
        take: Optional[Position] = None,
        heights: Optional[str] = None,
        layout: Optional[str] = None,
        point: Union[None, str, Sequence[int]] = None,
        formula: Optional[str] = None,
        axes: Union[None, str, Sequence[int]] = None,
        max: Optional[int] = None,
        values: Optional[str] = None,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Figure:
        """A figure of the game, or of a position, or of a move: ``nimatron draw``.

        ``what`` names other figures: ``"structure"`` (of P-positions, or of a ``formula``), ``"process"``,
        ``"subgames"``, ``"circuits"``, ``"slice"`` (with ``axes``, ``max`` and ``values``), ``"growth"``,
        ``"frontier"``, ``"automaton"``, ``"grid"`` and ``"graph"``. ``heights`` is ``"numbers"``, ``"tokens"`` or
        ``"both"``, ``layout`` is ``"ring"`` or ``"row"``, and ``point`` points stacks out.

        >>> from nimatron import Game
        >>> Game("CN(7,3)").draw((3, 5, 4, 2, 1, 6, 3), take=(1, 2, 0, 0, 0, 0, 2))
        <Figure A move of CN(7,3): (3,5,4,2,1,6,3) to (2,3,4,2,1,6,1)>
        """
        fields = {
            "position": None if position is None else self._heights(position),
            "what": None if what is None else text_of(what, "what", "game"),
            "take": None if take is None else self._heights(take, "amounts"),
            "heights": None if heights is None else text_of(heights, "heights", "both"),
            "layout": None if layout is None else text_of(layout, "layout", "ring"),
            "point": None if point is None else stack_set(point, self._stacks),
            "formula": None if formula is None else text_of(formula, "a formula", "a = c"),
            "axes": None if axes is None else stack_set(axes, self._stacks),
            "max": None if max is None else whole(max, "max"),
            "values": None if values is None else text_of(values, "values", "grundy"),
        }
        question = asked(fields, game=self._text)
        with Telling(progress, "drawing") as callback:
            limits = (seconds(time), bytes_of(memory), callback)
            return Figure(_nimatron.draw_figure(self._native, question, limits))

    def _ask(
        self,
        name: str,
        doing: Optional[str],
        bounds: Tuple[Time, Memory, Progress],
        fields: Optional[Dict[str, Any]] = None,
        threads: Optional[int] = None,
    ) -> _nimatron.Answer:
        """Asks a question of the protocol about this game."""
        time, memory, progress = bounds
        question = asked(fields or {}, game=self._text)
        with Telling(progress, doing or name) as callback:
            limits = (seconds(time), bytes_of(memory), callback)
            return _nimatron.ask(name, self._native, question, threads_of(threads), limits)

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
        with Telling(progress, "searching") as callback:
            bounds = (seconds(time), bytes_of(memory), callback)
            return Verdict(self._native.solve(at, bool(all_moves), most, bounds))

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
        with Telling(progress, "searching") as callback:
            bounds = (seconds(time), bytes_of(memory), callback)
            return After(self._native.after(at, amounts, bounds))

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
        with Telling(progress, "looking at moves") as callback:
            bounds = (seconds(time), bytes_of(memory), callback)
            return Moves(self._native.moves(at, *page, bounds))

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
        fields: Dict[str, Any] = {
            "position": None if position is None else self._heights(position),
            "cone": bool(cone),
            "invariance": bool(invariance),
        }
        if vectors is not None:
            ones = [{whole(stack, "a stack", 1, self._stacks) for stack in vector} for vector in vectors]
            digits = [("1" if i + 1 in vector else "0" for i in range(self._stacks)) for vector in ones]
            fields["vectors"] = ",".join("".join(vector) for vector in digits)
        return Reduction(self._ask("reduce", None, UNLIMITED, fields))

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
        given = Positions(positions, self._stacks, self._text)
        crew, most, room = threads_of(threads), seconds(time), bytes_of(memory)
        # Memory that is not touched before it is needed: nothing is no letter.
        outcomes = np.zeros(given.count, dtype="<U1")
        takes = np.zeros((given.count, self._stacks) if moves else (0, 0), dtype=np.uint64)

        def shaped() -> Tuple[npt.NDArray[np.str_], npt.NDArray[np.uint64]]:
            return outcomes.reshape(given.shape), takes.reshape((*given.shape, self._stacks) if moves else (0,))

        def put(start: int, letters: npt.NDArray[np.uint32], found: npt.NDArray[np.uint64]) -> None:
            outcomes[start : start + len(letters)] = letters.view("<U1")
            if moves:
                takes[start : start + len(letters)] = found.reshape(-1, self._stacks)

        started = monotonic()
        with Telling(progress, "solving") as callback:
            for start, heights in given.pieces():
                left = None if most is None else builtins.max(0.0, most - (monotonic() - started))
                tell = _part(callback, start, given.count)
                try:
                    put(start, *self._native.many(heights, moves, crew, (left, room, tell)))
                except NimatronLimit as limit:
                    if limit.found is not None:
                        put(start, *limit.found)
                    for first in range(start, given.count, PIECE):
                        piece = outcomes[first : first + PIECE]
                        piece[piece == ""] = "?"
                    limit.found = shaped()[1 if moves else 0]
                    raise
        return shaped()

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
        with Telling(progress, "computing") as callback:
            bounds = (seconds(time), bytes_of(memory), callback)
            try:
                found = self._native.table(most, threads_of(threads), engine, bounds)
            except NimatronLimit as limit:
                if isinstance(limit.found, tuple):
                    summary, rows = limit.found
                    limit.found = {**json.loads(summary), "rows": rows.reshape(-1, self._stacks)}
                raise
        return Table(self, tuple(most), *found)

    # Formulas and proofs

    def check(
        self,
        formula: str,
        *,
        max: Union[None, int, Sequence[int]] = None,
        necessary: bool = False,
        sufficient: bool = False,
        where: Optional[str] = None,
        threads: Optional[int] = None,
        time: Time = None,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Check:
        """Compares a formula with the computed P-positions: ``nimatron check``. This is evidence, no proof.

        ``necessary`` claims only that every P-position satisfies the formula, ``sufficient`` that no N-position
        does; with ``where``, only positions that satisfy this formula count.

        >>> from nimatron import Game
        >>> Game("CN(4,2)").check("a = c", max=3).counterexample
        (0, 0, 0, 1)
        >>> Game("CN(4,2)").check("a = c", necessary=True, max=3).holds
        True
        """
        fields = _claim(formula, necessary, sufficient, where)
        fields["max"] = None if max is None else box(max, self._stacks, self._text)
        return Check(self._ask("check", "checking", (time, memory, progress), fields, threads))

    def prove(
        self,
        formula: Optional[str] = None,
        *,
        method: str = "auto",
        necessary: bool = False,
        sufficient: bool = False,
        where: Optional[str] = None,
        time: Time = 45,
        memory: Memory = FOUR_GIGABYTES,
        progress: Progress = None,
    ) -> Proof:
        """Proves that a formula describes the P-positions, for all heights, or refutes it: ``nimatron prove``.

        Without ``formula`` that of the theorem library is proved. ``method`` is ``"auto"``, ``"regions"`` or
        ``"automata"``. ``necessary``, ``sufficient`` and ``where`` are as in ``check``.

        >>> from nimatron import Game
        >>> Game("CN(4,2)").prove("a = c", necessary=True).proved
        True
        """
        fields = _claim(formula, necessary, sufficient, where)
        fields["method"] = text_of(method, "a method", "auto")
        answer = self._ask("prove", "proving", (time, memory, progress), fields)
        return _proof(answer, self._text)

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
        fields = {"method": text_of(method, "a method", "auto"), "no_formula": not formula}
        answer = self._ask("discover", "searching", (time, memory, progress), fields)
        return _proof(answer, self._text)

    def guess(
        self,
        *,
        max: Optional[int] = None,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Guess:
        """Laws of the P-positions, learned from a table: ``nimatron guess``. This is evidence, no proof."""
        fields = {"max": None if max is None else whole(max, "max", 1, 1_000_000)}
        return Guess(self._ask("guess", "learning", (time, memory, progress), fields))

    def compare(
        self,
        other: Union[str, Game],
        *,
        max: Optional[int] = None,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Comparison:
        """Whether another game has the same P-positions, in a box and for all heights: ``nimatron compare``."""
        games = [self._text, str(Game(other))]
        most = None if max is None else whole(max, "max", 1, 1_000_000)
        question = asked({"games": games, "max": most})
        with Telling(progress, "comparing") as callback:
            limits = (seconds(time), bytes_of(memory), callback)
            return Comparison(_nimatron.ask("compare", self._native, question, None, limits))

    def paper(
        self,
        formula: Optional[str] = None,
        *,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Article:
        """An article about the P-positions with its proof: ``nimatron paper``.

        Without ``formula`` the one that a theorem or a stored proof gives is proved, or one is found.
        """
        text = None if formula is None else text_of(formula, "a formula", "a = c, b = d")
        with Telling(progress, "proving") as callback:
            bounds = (seconds(time), bytes_of(memory), callback)
            return Article(self._native.paper(text, bounds))

    def learn(self, certificate: Certificate, budget: int = 1) -> None:
        """Has a certificate checked and answers by it from now on."""
        text = bytes_of_certificate(certificate)
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
        fields = {"max": None if max is None else whole(max, "max", 1, 1_000_000)}
        bounds = (time, memory, progress)
        return Invariants(self._ask("invariants", "computing a table", bounds, fields))

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
        fields = {"cases": bool(cases), "detect": bool(detect)}
        bounds = (time, memory, progress)
        return CheatSheet(self._ask("cheatsheet", "computing a table", bounds, fields))

    def subgames(
        self,
        *,
        limit: Optional[int] = None,
        time: Time = 10,
        memory: Memory = TWO_GIGABYTES,
        progress: Progress = None,
    ) -> Subgames:
        """The games that are left when stacks are empty: ``nimatron subgames``."""
        fields = {"limit": None if limit is None else whole(limit, "limit", 0, 2**32 - 1)}
        return Subgames(self._ask("subgames", "emptying stacks", (time, memory, progress), fields))

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


def _claim(
    formula: Optional[str], necessary: bool, sufficient: bool, where: Optional[str]
) -> Dict[str, Any]:
    """What is claimed about a formula, as the protocol has it."""
    return {
        "formula": None if formula is None else text_of(formula, "a formula", "a = c, b = d"),
        "necessary": bool(necessary),
        "sufficient": bool(sufficient),
        "where": None if where is None else text_of(where, "a condition", "a = 0"),
    }


def _proof(answer: _nimatron.Answer, game: str) -> Proof:
    proof = Proof(answer)
    certificate = answer.certificate()
    if certificate is not None:
        proof.certificate = Certificate(certificate, f"certificate of {game}")
    return proof


def _part(callback: Callback, start: int, of: int) -> Callback:
    """Tells the progress of a part as that of the whole."""
    if callback is None:
        return None
    return lambda done, _: callback(start + done, of)
