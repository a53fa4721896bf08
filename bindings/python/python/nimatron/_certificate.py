"""Certificates: proofs as files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from . import _nimatron
from ._answers import Verification
from ._errors import NimatronInputError
from ._input import whole

if TYPE_CHECKING:
    from ._game import Game

PathLike = Union[str, "os.PathLike[str]"]


class Certificate:
    """A proof in a form that a small independent checker accepts or rejects.

    It is only text until ``verify()`` says otherwise: whoever loads one has proved nothing yet.

    >>> import nimatron
    >>> certificate = nimatron.Game("CN(5,3)").prove("sym(a = 0, b = e = c+d)").certificate
    >>> certificate
    <Certificate CN(5,3), 7,796 bytes>
    >>> bool(certificate.verify(game="CN(5,3)"))
    True
    >>> print(certificate.verify(game="CN(5,2)").to_dict()["message"])
    it is about CN(5,3), not about CN(5,2)
    """

    def __init__(self, text: Union[bytes, str], name: str = "certificate") -> None:
        if isinstance(text, str):
            text = text.encode()
        if not isinstance(text, bytes):
            raise TypeError(f"a certificate is text or bytes, not a {type(text).__name__}")
        self._text = text
        self._name = name

    @classmethod
    def load(cls, path: PathLike) -> Certificate:
        """Reads a file. Nothing is checked before ``verify()``."""
        return cls(Path(path).read_bytes(), str(path))

    def save(self, path: PathLike, overwrite: bool = False) -> None:
        """Writes a file: it is there whole or not at all."""
        written(path, self._text, overwrite)

    @property
    def text(self) -> bytes:
        """The certificate itself: JSON, documented in ``docs/proofs.md``."""
        return self._text

    @property
    def game(self) -> Optional[str]:
        """The game that it says it is about; nothing is checked."""
        return _nimatron.certificate_game(self._text)

    def verify(
        self,
        game: Union[None, str, Game] = None,
        formula: Optional[str] = None,
        budget: int = 1,
    ) -> Verification:
        """Has it checked: that it is a proof, and about this game and formula if they are named.

        Checking ends after about a minute and with 1 GB in use, or so many times that with ``budget``.
        """
        about = None if game is None else str(game)
        if formula is not None and not isinstance(formula, str):
            raise TypeError(f"a formula is text, not a {type(formula).__name__}")
        budget = whole(budget, "budget", 1, 1_000_000)
        return Verification(_nimatron.verify(self._text, self._name, about, formula, budget))

    def __repr__(self) -> str:
        return f"<Certificate {self.game}, {len(self._text):,} bytes>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Certificate, (self._text, self._name))


def written(path: PathLike, text: bytes, overwrite: bool) -> None:
    """Writes a file: it is there whole or not at all."""
    path = Path(path)
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} exists already: overwrite=True writes over it")
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(partial, 0o644)
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink()
        raise


def bytes_of_certificate(certificate: Any) -> bytes:
    """The bytes of a certificate."""
    if not isinstance(certificate, Certificate):
        raise NimatronInputError(
            f"a Certificate is expected, not a {type(certificate).__name__}", "certificate"
        )
    return certificate.text
