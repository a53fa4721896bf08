"""What several tests need."""

import os
import random
from pathlib import Path
from typing import List, Tuple

import pytest

HERE = Path(__file__).resolve().parent

#: Games with the greatest heights that are quick to decide, whatever the machine.
GAMES = [
    ("Nim(1)", 10**15),
    ("Nim(4)", 10**15),
    ("CN(3,2)", 10**12),
    ("CN(4,2)", 10**12),
    ("CN(5,2)", 10**9),
    ("CN(5,3)", 10**9),
    ("CN(6,3)", 10**12),
    ("CN(6,4)", 10**12),
    ("CN(7,3)", 10**12),
    ("CN(7,4)", 10**9),
    ("CN(8,3)", 10**9),
    ("CN(8,6)", 10**9),
    ("CN(9,4)", 10**12),
    ("CN(12,5)", 10**12),
    ("CN(13,5)", 10**12),
    ("H", 10**12),
    ("NN(8,4)", 10**9),
    ("PN(5,3)", 10**9),
    ("PN(12,6)", 10**9),
    ("Moore(5,2)", 10**9),
    ("Matrix(3,2)", 10**6),
    ("Set(ad,abc,bcd)", 10**9),
    ("Set(ab,ac,bc,ad)", 10**6),
    ("Slow(5,{1,2})", 10**6),
    ("Exact(4,2)", 4),
    ("misere Nim(4)", 10**9),
    ("misere CN(5,2)", 3),
    ("PN(3,2) + Nim(1)", 6),
    ("CN(4,2) + CN(3,2)", 2),
    ("CN(6,2)", 4),
    ("CN(7,5)", 3),
    ("CN(6,3) each>=2", 4),
    ("Graph(0-1,1-2,2-0)", 10**9),
    ("Cube(vertex)", 1),
]


def questions(count: int, seed: int = 1) -> List[Tuple[str, Tuple[int, ...]]]:
    """Games with positions, low and tall, always the same."""
    import nimatron

    rng = random.Random(seed)
    made = []
    for i in range(count):
        text, tallest = GAMES[i % len(GAMES)]
        stacks = nimatron.Game(text).stacks
        top = rng.choice([3, 10, tallest])
        heights = tuple(rng.randint(0, min(top, tallest)) for _ in range(stacks))
        made.append((text, heights))
    return made


def needed(variable: str) -> str:
    """A program that the test script builds."""
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} is not set: ./test builds what is needed")
    return path
