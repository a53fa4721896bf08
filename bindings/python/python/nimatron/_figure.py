"""Figures and articles."""

from __future__ import annotations

import html
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from ._certificate import Certificate, PathLike, written
from ._errors import NimatronInputError
from ._input import word

if TYPE_CHECKING:
    from ._nimatron import Article as NativeArticle
    from ._nimatron import Figure as NativeFigure

#: How a figure is written, by the end of the name of its file.
_PENS = {".svg": "svg", ".tex": "standalone", ".tikz": "tikz", ".json": "json"}

_THEMES = ("auto", "light", "dark", "print")


class Figure:
    """A figure of a game, a position or an answer. Notebooks show it.

    >>> import nimatron
    >>> figure = nimatron.Game("CN(5,3)").draw((0, 3, 1, 2, 3))
    >>> figure
    <Figure CN(5,3) at (0,3,1,2,3)>
    >>> figure.svg(theme="print").startswith("<svg")
    True
    >>> "tikzpicture" in figure.tikz()
    True
    """

    def __init__(self, native: NativeFigure) -> None:
        self._native: Optional[NativeFigure] = native
        self._title = native.title()
        self._told: Dict[str, str] = {}

    def _tell(self, pen: str) -> str:
        """The figure by a pen, or by that of a theme."""
        if pen not in self._told:
            assert self._native is not None
            theme = pen if pen in _THEMES else "auto"
            self._told[pen] = self._native.told("svg" if pen in _THEMES else pen, theme)
        return self._told[pen]

    @property
    def title(self) -> str:
        """What it shows."""
        return self._title

    def svg(self, theme: str = "auto") -> str:
        """An SVG picture: for pages that are ``"light"`` or ``"dark"``, for both (``"auto"``), or for ``"print"``."""
        return self._tell(word(theme, "theme", _THEMES))

    def tikz(self, standalone: bool = False) -> str:
        """A TikZ picture to be read with ``\\input``, or a whole LaTeX document."""
        return self._tell("standalone" if standalone else "tikz")

    def to_json(self) -> str:
        """The geometry as one line of JSON, for programs that draw by themselves."""
        return self._tell("json")

    def to_dict(self) -> Dict[str, Any]:
        """The geometry in dictionaries and lists."""
        parsed: Dict[str, Any] = json.loads(self.to_json())
        return parsed

    def save(self, path: PathLike, *, theme: str = "print", overwrite: bool = False) -> None:
        """Writes a file, by its name ``.svg``, ``.tikz``, ``.tex`` (a whole document) or ``.json``."""
        pen = _PENS.get(Path(path).suffix)
        if pen is None:
            raise NimatronInputError(
                f"{os.fspath(path)}: figures are written as .svg, .tikz, .tex or .json", "format"
            )
        text = self.svg(theme) if pen == "svg" else self._tell(pen)
        written(path, text.encode(), overwrite)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        # Before the others: notebooks have no TikZ.
        return self.svg()

    def _repr_latex_(self) -> str:
        return self.tikz()

    def __repr__(self) -> str:
        return f"<Figure {self._title}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Figure) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> Tuple[Any, ...]:
        told = {pen: self._tell(pen) for pen in (*_THEMES, "tikz", "standalone", "json")}
        return (_figure, (self._title, told))


def _figure(title: str, told: Dict[str, str]) -> Figure:
    figure = Figure.__new__(Figure)
    figure._native, figure._title, figure._told = None, title, told
    return figure


class Article:
    """An article about the P-positions of a game, with figures and the certificate of the proof.

    >>> import nimatron
    >>> article = nimatron.Game("CN(4,2)").paper()
    >>> article.title
    'The P-positions of CN(4,2)'
    >>> sorted(article.files("html"))
    ['article.html', 'certificate.json']
    """

    def __init__(self, native: NativeArticle) -> None:
        self._native: Optional[NativeArticle] = native
        self._title = native.title()
        self._files: Dict[str, List[Tuple[str, bytes]]] = {}

    def _all(self, format: str) -> List[Tuple[str, bytes]]:
        if format not in self._files:
            assert self._native is not None
            self._files[format] = self._native.files(format)
        return self._files[format]

    @property
    def title(self) -> str:
        """Its title."""
        return self._title

    @property
    def certificate(self) -> Certificate:
        """The certificate of the proof."""
        return Certificate(self._all("text")[0][1], f"certificate of {self._title}")

    def text(self) -> str:
        """The article as plain text."""
        return self._main("text")

    def html(self) -> str:
        """The article as one HTML page."""
        return self._main("html")

    def markdown(self) -> str:
        """The article in Markdown; its figures are other files."""
        return self._main("markdown")

    def latex(self) -> str:
        """The article for LaTeX; its figures and its style are other files."""
        return self._main("latex")

    def _main(self, format: str) -> str:
        return self._all(format)[-1][1].decode()

    def files(self, format: str = "latex") -> Dict[str, bytes]:
        """All files by name: for ``"latex"``, ``"markdown"``, ``"html"`` or ``"text"``."""
        return dict(self._all(word(format, "format", _FORMATS)))

    def save(self, directory: PathLike, format: str = "latex") -> None:
        """Writes a directory, which must not exist: it is there whole or not at all."""
        place = Path(directory)
        if place.exists():
            raise FileExistsError(f"{place} exists already")
        files = self.files(format)
        partial = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}."))
        try:
            for name, text in files.items():
                (partial / name).write_bytes(text)
            os.chmod(partial, 0o755)
            partial.rename(place)
        except BaseException:
            shutil.rmtree(partial)
            raise

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Article {self._title}>"

    def _repr_html_(self) -> str:
        # A page of its own, so that its style stays inside.
        page = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" title="{html.escape(self._title)}" style="width:100%;height:40em;border:0"></iframe>'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Article) and self.files() == other.files()

    def __hash__(self) -> int:
        return hash(self._main("text"))

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_article, (self._title, {format: self._all(format) for format in _FORMATS}))


_FORMATS = ("latex", "markdown", "html", "text")


def _article(title: str, files: Dict[str, List[Tuple[str, bytes]]]) -> Article:
    article = Article.__new__(Article)
    article._native, article._title, article._files = None, title, files
    return article
