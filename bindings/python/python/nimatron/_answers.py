"""Answers: the documented JSON as objects."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Type, TypeVar

if TYPE_CHECKING:
    from ._certificate import Certificate
    from ._nimatron import Answer as Native

A = TypeVar("A", bound="Answer")


class Answer:
    """What all answers have in common.

    ``to_dict()`` is the JSON that the command line prints with ``--json``, documented in ``docs/cli.md``;
    ``str(answer)`` is the text that it prints without.
    """

    def __init__(self, native: Native) -> None:
        self._native: Optional[Native] = native
        self._json: Optional[str] = None
        self._text: Optional[str] = None
        self._latex: Optional[str] = None
        self._parsed: Optional[Dict[str, Any]] = None

    def to_json(self) -> str:
        """The answer as one line of JSON, byte by byte that of the command line."""
        if self._json is None:
            assert self._native is not None
            self._json = self._native.json()
        return self._json

    def to_dict(self) -> Dict[str, Any]:
        """The answer as the documented JSON, in dictionaries and lists of its own."""
        parsed: Dict[str, Any] = json.loads(self.to_json())
        return parsed

    def text(self, width: int = 80) -> str:
        """The answer as text, in so many columns."""
        if self._native is None:
            assert self._text is not None
            return self._text
        return self._native.text(width)

    def to_latex(self) -> Optional[str]:
        """The answer in LaTeX, if there is such a form."""
        return self._latex if self._native is None else self._native.latex()

    @property
    def _data(self) -> Dict[str, Any]:
        if self._parsed is None:
            self._parsed = self.to_dict()
        return self._parsed

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._about()}>"

    def _about(self) -> str:
        return str(self._data.get("game", ""))

    def _repr_html_(self) -> str:
        shown = html.escape(self.text().rstrip())
        return f'<pre style="font-family:monospace;line-height:1.3">{shown}</pre>'

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Answer)
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> Tuple[Any, ...]:
        told = (self.to_json(), self.text(), self.to_latex(), self._more())
        return (_restored, (type(self), *told))

    def _more(self) -> Dict[str, Any]:
        return {}


def _restored(
    kind: Type[A], text_json: str, text: str, latex: Optional[str], more: Dict[str, Any]
) -> A:
    answer = kind.__new__(kind)
    answer._native = None
    answer._parsed = None
    answer._json, answer._text, answer._latex = text_json, text, latex
    answer.__dict__.update(more)
    return answer


class Move(NamedTuple):
    """A move: how many tokens it takes from each stack, and the position it leaves."""

    take: Tuple[int, ...]
    to: Tuple[int, ...]


class KnownMove(NamedTuple):
    """A move with what is known about the position it leaves."""

    take: Tuple[int, ...]
    to: Tuple[int, ...]
    winning: Optional[bool]
    grundy: Optional[int]
    remoteness: Optional[int]


class By(NamedTuple):
    """Who answered: a theorem, a proof, a table or a search."""

    kind: str
    name: Optional[str]
    source: Optional[str]

    def __str__(self) -> str:
        return self.source or self.name or self.kind


class Step(NamedTuple):
    """One reason of an explanation: a stable word for what it is, and a sentence."""

    step: str
    text: str


def _move(data: Dict[str, Any]) -> Move:
    return Move(tuple(data["take"]), tuple(data["to"]))


def _by(data: Optional[Dict[str, Any]]) -> Optional[By]:
    return None if data is None else By(data["kind"], data.get("name"), data.get("source"))


def _outcome(word: Optional[str]) -> Optional[str]:
    return word if word in ("P", "N") else None


class Verdict(Answer):
    """The answer to a question about a position.

    >>> import nimatron
    >>> verdict = nimatron.Game("CN(4,2)").solve((3, 1, 4, 1))
    >>> verdict.outcome, verdict.move.take, verdict.move.to
    ('N', (0, 0, 1, 0), (3, 1, 3, 1))
    >>> str(verdict.by)
    'DH13 Theorem 2.2'
    >>> verdict
    <Verdict CN(4,2) at (3,1,4,1): N by DH13 Theorem 2.2>
    """

    @property
    def game(self) -> str:
        """The game, in notation."""
        return str(self._data["game"])

    @property
    def position(self) -> Tuple[int, ...]:
        """The position that was asked about."""
        return tuple(self._data["position"])

    @property
    def outcome(self) -> Optional[str]:
        """``"P"`` if the player to move loses, ``"N"`` if they win, ``None`` if that was not decided."""
        return _outcome(self._data["outcome"])

    @property
    def decided(self) -> bool:
        """Whether the outcome is known."""
        return self.outcome is not None

    @property
    def move(self) -> Optional[Move]:
        """A winning move, or ``None`` if there is none or nothing was decided."""
        moves = self.moves
        return moves[0] if moves else None

    @property
    def moves(self) -> List[Move]:
        """The winning moves that are listed: one, or with ``all_moves=True`` all up to ``limit``."""
        return [_move(move) for move in self._data["moves"]]

    @property
    def moves_total(self) -> Optional[int]:
        """How many winning moves there are, if that is known."""
        total: Optional[int] = self._data["moves_total"]
        return total

    @property
    def grundy(self) -> Optional[int]:
        """The Grundy value, where it became known."""
        value: Optional[int] = self._data["grundy"]
        return value

    @property
    def by(self) -> Optional[By]:
        """Who answered, or ``None`` if nobody did."""
        return _by(self._data["by"])

    @property
    def explanation(self) -> List[Step]:
        """The reasons, in order. ``to_dict()["explanation"]`` has all that a picture of them needs."""
        return [Step(step["step"], step["text"]) for step in self._data["explanation"]]

    @property
    def limit(self) -> Optional[str]:
        """What stopped the work, if something did: ``"time"``, ``"memory"`` or ``"work"``."""
        limit: Optional[Dict[str, str]] = self._data["limit"]
        return None if limit is None else limit["kind"]

    @property
    def conjecture(self) -> Optional[Dict[str, Any]]:
        """What is conjectured where nothing was decided; this is no answer."""
        conjecture: Optional[Dict[str, Any]] = self._data.get("conjecture")
        return conjecture

    def _about(self) -> str:
        at = ",".join(map(str, self.position))
        told = self.outcome or "not decided"
        by = f" by {self.by}" if self.by else ""
        return f"{self.game} at ({at}): {told}{by}"


class After(Answer):
    """What follows a move: whether it wins, and the reply that refutes it if not."""

    @property
    def wins(self) -> Optional[bool]:
        """Whether the move wins, if that is known."""
        wins: Optional[bool] = self._data["wins"]
        return wins

    @property
    def to(self) -> Tuple[int, ...]:
        """The position that the move leaves."""
        return tuple(self._data["to"])

    @property
    def reply(self) -> Optional[Move]:
        """The move that refutes it."""
        reply = self._data["reply"]
        return None if reply is None else _move(reply)

    def _about(self) -> str:
        told = {True: "wins", False: "loses", None: "not decided"}[self.wins]
        take = ",".join(map(str, self._data["take"]))
        return f"{self._data['game']}: take ({take}): {told}"


class Moves(Answer):
    """Every move of a position, best first.

    >>> import nimatron
    >>> moves = nimatron.Game("CN(5,2)").moves((1, 2, 0, 2, 1), limit=2)
    >>> [move.take for move in moves if move.winning]
    [(1, 0, 0, 0, 1)]
    """

    @property
    def outcome(self) -> Optional[str]:
        """The outcome of the position."""
        return _outcome(self._data["outcome"])

    @property
    def total(self) -> Optional[int]:
        """How many moves there are, if they can be counted."""
        total: Optional[int] = self._data["total"]
        return total

    def __iter__(self) -> Iterator[KnownMove]:
        for move in self._data["moves"]:
            yield KnownMove(
                tuple(move["take"]),
                tuple(move["to"]),
                move["winning"],
                move["grundy"],
                move["remoteness"],
            )

    def __len__(self) -> int:
        return len(self._data["moves"])

    def _about(self) -> str:
        at = ",".join(map(str, self._data["position"]))
        return f"{self._data['game']} at ({at}): {len(self)} of {self.total} moves"


class Reduction(Answer):
    """A game or a position made smaller, step by step.

    >>> import nimatron
    >>> reduction = nimatron.Game("CN(6,3)").reduce((0, 0, 3, 1, 2, 4))
    >>> reduction.game, reduction.position
    ('PN(3,2)', (3, 3, 4))
    """

    @property
    def game(self) -> Optional[str]:
        """The game that is left; ``None`` when no move is left."""
        game: Optional[str] = self._data["reduced"]["game"]
        return game

    @property
    def position(self) -> Optional[Tuple[int, ...]]:
        """The position that is left, if one was asked about."""
        position = self._data["reduced"]["position"]
        return None if position is None else tuple(position)

    @property
    def steps(self) -> List[Step]:
        """The steps, in order."""
        return [Step(step["step"], step["text"]) for step in self._data["steps"]]

    def _about(self) -> str:
        return f"{self._data['game']} to {self.game}"


class Info(Answer):
    """What can be said about a game without solving it."""

    @property
    def known(self) -> bool:
        """Whether a theorem or a proof is known."""
        return bool(self._data["known"])

    @property
    def open_by(self) -> Optional[str]:
        """Who says that the game is open, if nothing is known and somebody does."""
        by: Optional[str] = self._data["open_by"]
        return by


class Check(Answer):
    """A formula beside a computed table. Agreement is evidence, not a proof.

    >>> import nimatron
    >>> check = nimatron.Game("CN(5,3)").check("sym(a = 0, b = e = c+d)", max=8)
    >>> check.holds, check.counterexample
    (True, None)
    """

    @property
    def holds(self) -> Optional[bool]:
        """Whether formula and table agree in the whole box; ``None`` if a limit came first."""
        holds: Optional[bool] = self._data["holds"]
        return holds

    @property
    def counterexample(self) -> Optional[Tuple[int, ...]]:
        """The smallest position at which they differ."""
        found = self._data["counterexample"]
        return None if found is None else tuple(found["position"])

    def _about(self) -> str:
        told = {True: "no counterexample", False: "counterexample", None: "not decided"}[self.holds]
        return f"{self._data['game']}, {self._data['formula']!r}: {told}"


class Proof(Answer):
    """What came of an attempt to prove a formula, or to find the P-positions and prove them.

    For one direction only, ``formula`` is what was claimed, and ``strategy`` is ``None``.

    >>> import nimatron
    >>> proof = nimatron.Game("CN(4,2)").prove("a = c, b = d")
    >>> proof.proved, proof.certificate.verify().accepted
    (True, True)
    """

    #: The certificate, if there is a proof.
    certificate: Optional[Certificate] = None

    @property
    def proved(self) -> bool:
        """Whether it is proved, for all heights, and accepted by the checker."""
        return bool(self._data["proved"])

    @property
    def refuted(self) -> bool:
        """Whether the formula is refuted."""
        return self._data["counterexample"] is not None

    @property
    def counterexample(self) -> Optional[Tuple[int, ...]]:
        """A position that refutes the formula."""
        found = self._data["counterexample"]
        return None if found is None else tuple(found["position"])

    @property
    def strategy(self) -> Optional[str]:
        """How to win, in words, where the proof tells."""
        strategy: Optional[str] = self._data.get("strategy")
        return strategy

    @property
    def limit(self) -> Optional[str]:
        """What stopped the work, if something did."""
        limit: Optional[Dict[str, str]] = self._data["limit"]
        return None if limit is None else limit["kind"]

    @property
    def formula(self) -> Optional[str]:
        """The P-positions as a formula, if one is known."""
        formula: Optional[str] = self._data.get("formula")
        return formula

    def _about(self) -> str:
        told = "proved" if self.proved else "refuted" if self.refuted else "not decided"
        return f"{self._data['game']}: {told}"

    def _more(self) -> Dict[str, Any]:
        return {"certificate": self.certificate}


class Verification(Answer):
    """What the independent checker says about a certificate."""

    @property
    def accepted(self) -> bool:
        """Whether it is a proof."""
        return bool(self._data["accepted"])

    @property
    def formula(self) -> Optional[str]:
        """The P-positions as a formula, if the certificate gives one."""
        formula: Optional[str] = self._data.get("formula")
        return formula

    def __bool__(self) -> bool:
        return self.accepted

    def _about(self) -> str:
        return f"{self._data.get('game')}: {'accepted' if self.accepted else 'rejected'}"


class Invariants(Answer):
    """The invariant vectors of a game: those that are proved, and those that a table suggests."""

    @property
    def known(self) -> List[Tuple[int, ...]]:
        """The vectors that theorems or proofs give, each as the stacks where it is 1, counted from 1."""
        return [tuple(vector) for vector in self._data["known"]]


class CheatSheet(Answer):
    """How to win by invariant vectors: what is left when they are subtracted, and who solves that.

    ``to_latex()`` is a table for papers; notebooks show the text.
    """


class Subgames(Answer):
    """The games that are left when stacks are empty."""

    def __len__(self) -> int:
        return len(self._data["subgames"])


class Circuits(Answer):
    """The minimal sets of stacks that no set of the game contains.

    >>> import nimatron
    >>> circuits = nimatron.Game("CN(5,2)").circuits()
    >>> circuits.count, circuits.sizes, circuits.listed[0]
    (5, (2,), (1, 3))
    """

    @property
    def count(self) -> Optional[int]:
        """How many there are, if they were all counted."""
        count: Optional[int] = self._data["circuits"]
        return count

    @property
    def sizes(self) -> Optional[Tuple[int, ...]]:
        """The sizes that occur."""
        sizes = self._data["sizes"]
        return None if sizes is None else tuple(sizes)

    @property
    def listed(self) -> List[Tuple[int, ...]]:
        """Those that are listed, up to ``limit``, as stacks counted from 1."""
        return [tuple(circuit) for circuit in self._data["listed"]]


class Guess(Answer):
    """What a table suggests about the P-positions: evidence, no proof.

    >>> import nimatron
    >>> guess = nimatron.Game("CN(4,2)").guess(max=6)
    >>> guess.formula, guess.fits
    ('a = c, b = d', True)
    """

    @property
    def laws(self) -> List[str]:
        """Laws that hold at all P-positions of a box, and with them their images under the symmetries."""
        return [str(law) for law in self._data["laws"]]

    @property
    def parts(self) -> Dict[str, float]:
        """Where no formula was found: formulas that hold at P-positions only, each with the part of these, up to
        symmetry, that it adds."""
        orbits = max(1, self._data["orbits"])
        return {part["formula"]: part["orbits"] / orbits for part in self._data["parts"]}

    @property
    def formula(self) -> Optional[str]:
        """A formula for all P-positions of the box, if one was found."""
        formula: Optional[str] = self._data["candidate"]
        return formula

    @property
    def fits(self) -> Optional[bool]:
        """Whether the formula agrees with a larger box, if that was looked at."""
        fits: Optional[bool] = self._data["fits"]
        return fits

    def _about(self) -> str:
        told = {True: "fits", False: "does not fit", None: "not tested"}[self.fits]
        found = "no formula" if self.formula is None else f"{self.formula!r} {told}"
        return f"{self._data['game']}: {found}"


class FamilyGuess(Answer):
    """What tables suggest about several games of a family: evidence, no proof."""

    @property
    def patterns(self) -> Dict[str, List[int]]:
        """Formulas with the parameters of the games that they fit."""
        return {pattern["formula"]: list(pattern["parameters"]) for pattern in self._data["patterns"]}

    def _about(self) -> str:
        return f"{self._data['family']}: {len(self.patterns)} formulas for {len(self._data['members'])} games"


class Comparison(Answer):
    """Two games side by side.

    >>> import nimatron
    >>> nimatron.Game("CN(4,2)").compare("Set(ab,bc,cd,ad)", max=5)
    <Comparison CN(4,2) and Set(ab,bc,cd,ad): equal, proved>
    """

    @property
    def relation(self) -> str:
        """How the P-positions are related in the box: ``"equal"``, ``"subset"``, ..."""
        return str(self._data["relation"])

    @property
    def proved(self) -> bool:
        """Whether they are equal for all heights, by a proof."""
        return bool(self._data["proved"])

    def _about(self) -> str:
        first, second = self._data["games"]
        return f"{first} and {second}: {self.relation}{', proved' if self.proved else ''}"


class Conjecture(Answer):
    """What can be computed about a conjecture of the papers.

    >>> import nimatron
    >>> nimatron.conjecture("subset", stacks=4).holds
    False
    """

    @property
    def name(self) -> str:
        """Its name."""
        return str(self._data["conjecture"])

    @property
    def holds(self) -> Optional[bool]:
        """``False`` with a counterexample, ``True`` if nothing speaks against it, ``None`` if a limit came first."""
        data = self._data
        if data.get("limit") is not None and "holds" not in data:
            return None
        if "holds" in data:
            holds: Optional[bool] = data["holds"]
            return holds
        if "all_proved" in data:
            return bool(data["all_proved"])
        return data["left_over"] is None

    def _about(self) -> str:
        told = {True: "holds as far as was looked", False: "fails", None: "not decided"}[self.holds]
        return f"{self.name}: {told}"


class AtlasEntry(NamedTuple):
    """A game of the atlas: ``status`` is ``"theorem"``, ``"proved"``, ``"reduced"`` or ``"open"``."""

    game: str
    stacks: int
    status: str
    theorems: Tuple[str, ...]
    method: Optional[str]


class Atlas(Answer):
    """Games with what is known about them.

    >>> import nimatron
    >>> atlas = nimatron.atlas(4)
    >>> len(atlas), sum(entry.status == "open" for entry in atlas)
    (20, 1)
    """

    def __iter__(self) -> Iterator[AtlasEntry]:
        for game in self._data["games"]:
            sources = tuple(theorem["source"] for theorem in game["theorems"])
            yield AtlasEntry(game["game"], game["stacks"], game["status"], sources, game["method"])

    def __len__(self) -> int:
        return len(self._data["games"])

    def _about(self) -> str:
        counts = self._data["counts"]
        return (
            f"of {counts['games']} games: {counts['theorem']} by theorem, {counts['proved']} proved here, "
            f"{counts['open']} not known"
        )


class Theorems(Answer):
    """Theorems with their sources."""

    @property
    def names(self) -> List[str]:
        """Their names."""
        return [str(theorem["id"]) for theorem in self._data["theorems"]]

    @property
    def formulas(self) -> List[Optional[str]]:
        """Their formulas, where they have one."""
        return [theorem["formula"] for theorem in self._data["theorems"]]

    def __len__(self) -> int:
        return len(self._data["theorems"])

    def _about(self) -> str:
        return f"{len(self)}"
