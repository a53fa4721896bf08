"""How far a long call is."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

from ._input import shown

#: Whom to tell: nobody, ``True`` for a bar, or a function of what is done and of how much (0 if that
#: is not known).
Progress = Union[None, bool, Callable[[int, int], object]]


class Bar:
    """A bar by ``tqdm`` where that is installed, in terminals and notebooks; else one line on stderr."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._started = time.monotonic()
        self._bar: Any = None
        self._drawn = False
        try:
            from tqdm.auto import tqdm

            self._tqdm: Any = tqdm
        except ImportError:
            self._tqdm = None

    def __call__(self, done: int, of: int) -> None:
        if self._tqdm is not None:
            if self._bar is None:
                self._bar = self._tqdm(total=of or None, desc=self._what, unit_scale=True, leave=False)
            if of and self._bar.total != of:
                self._bar.total = of
            self._bar.n = done
            self._bar.refresh()
        elif sys.stderr is not None and sys.stderr.isatty():
            share = f"{100 * done / of:.0f} %" if of else ""
            spent = time.monotonic() - self._started
            print(f"\r{self._what}  {share}  {spent:.0f} s ", end="", file=sys.stderr, flush=True)
            self._drawn = True

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
        if self._drawn:
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


Callback = Optional[Callable[[int, int], object]]


class Telling:
    """A function to be told, for as long as a call takes."""

    def __init__(self, progress: Progress, what: str) -> None:
        self._bar: Optional[Bar] = None
        self.callback: Callback = None
        if progress is True:
            self._bar = Bar(what)
            self.callback = self._bar
        elif callable(progress):
            self.callback = progress
        elif progress is not None and progress is not False:
            raise TypeError(
                f"progress must be True or a function of two numbers, not {shown(progress)}"
            )

    def __enter__(self) -> Callback:
        return self.callback

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
