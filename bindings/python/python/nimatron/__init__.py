"""Ask who wins a Nim game on any set system: the outcome, a winning move, the reason and the proof.

>>> import nimatron
>>> game = nimatron.Game("CN(7,3)")
>>> game.solve((3, 5, 4, 2, 1, 6, 3))
<Verdict CN(7,3) at (3,5,4,2,1,6,3): N by KDH26 Theorem 4.1>

Tokens lie on stacks. A family of sets of stacks says which may be played together: in a move, a player
chooses one of the sets and takes tokens from one or more of its stacks. Whoever takes the last token wins.

Questions go to a :class:`Game`; answers have ``to_dict()``, the JSON of the command line, and
``str(answer)``, its text. ``docs/python.md`` has more.
"""

from ._answers import (
    After,
    Answer,
    Atlas,
    AtlasEntry,
    By,
    Check,
    CheatSheet,
    Circuits,
    Comparison,
    Conjecture,
    FamilyGuess,
    Guess,
    Info,
    Invariants,
    KnownMove,
    Move,
    Moves,
    Proof,
    Reduction,
    Step,
    Subgames,
    Theorems,
    Verdict,
    Verification,
)
from ._certificate import Certificate
from ._errors import (
    NimatronError,
    NimatronInputError,
    NimatronInternalError,
    NimatronLimit,
    NimatronSyntaxError,
    NimatronUnknown,
)
from ._figure import Article, Figure
from ._game import Game
from ._known import Survey, atlas, circuits, conjecture, guess_family, set_systems, theorems
from ._nimatron import __version__
from ._table import Table

__all__ = [
    "After",
    "Answer",
    "Article",
    "Atlas",
    "AtlasEntry",
    "By",
    "Certificate",
    "CheatSheet",
    "Check",
    "Circuits",
    "Comparison",
    "Conjecture",
    "FamilyGuess",
    "Figure",
    "Game",
    "Guess",
    "Info",
    "Invariants",
    "KnownMove",
    "Move",
    "Moves",
    "NimatronError",
    "NimatronInputError",
    "NimatronInternalError",
    "NimatronLimit",
    "NimatronSyntaxError",
    "NimatronUnknown",
    "Proof",
    "Reduction",
    "Step",
    "Subgames",
    "Survey",
    "Table",
    "Theorems",
    "Verdict",
    "Verification",
    "__version__",
    "atlas",
    "circuits",
    "conjecture",
    "guess_family",
    "set_systems",
    "theorems",
]
