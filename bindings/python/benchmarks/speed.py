"""How fast the package is, beside the command line, a loop over ``solve`` and plain Python.

    NIMATRON_CLI=target/release/nimatron python benchmarks/speed.py [table] [outcomes] [brute]
"""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
import time
from typing import Any, Callable, Dict, List, Set, Tuple

import numpy as np

from nimatron import Game

ROUNDS = 3


def best(work: Callable[[], Any]) -> float:
    """The least of some times, in seconds: other work of the machine only adds."""
    times: List[float] = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def cpu(work: Callable[[], Any]) -> float:
    """The same, of the time of the processor, for all threads together."""
    times: List[float] = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def table() -> None:
    """All P-positions of CN(6,2) up to height 31, as an array and by the command line, in turns."""
    cli = os.environ.get("NIMATRON_CLI", "nimatron")
    game = Game("CN(6,2)")
    ways = {
        "command line, rows as CSV": ["--out", os.devnull, "--force", "--format", "csv"],
        "command line, 20 rows shown": [],
    }
    names = ["as an array", *ways]
    wall: Dict[str, List[float]] = {name: [] for name in names}
    used: Dict[str, List[float]] = {name: [] for name in names}
    found = game.table(max=1).p_positions()
    for _ in range(ROUNDS):
        started, before = time.perf_counter(), time.process_time()
        found = game.table(max=31, threads=1).p_positions()
        wall["as an array"].append(time.perf_counter() - started)
        used["as an array"].append(time.process_time() - before)
        for name, options in ways.items():
            command = [cli, "table", "CN(6,2)", "--max", "31", "--threads", "1", *options]
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            started = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            wall[name].append(time.perf_counter() - started)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
            used[name].append(spent)
    print(f"CN(6,2), max 31: {len(found):,} P-positions, one thread, best of {ROUNDS} in turns")
    print(f"{'':<34} {'seconds':>10} {'processor':>10}")
    for name in names:
        print(f"{name:<34} {min(wall[name]):>10.3f} {min(used[name]):>10.3f}")
    for name in ways:
        ratios = min(wall["as an array"]) / min(wall[name]), min(used["as an array"]) / min(used[name])
        print(f"{'ratio to ' + name:<34} {ratios[0]:>9.2f}x {ratios[1]:>9.2f}x")


def brute_force(game: Game, positions: Any) -> None:
    """Outcomes by definition, with a memory, in plain Python."""
    facets = [[stack - 1 for stack in facet] for facet in game.facets]
    lost: Set[Tuple[int, ...]] = set()
    won: Set[Tuple[int, ...]] = set()

    def is_lost(at: Tuple[int, ...]) -> bool:
        if at in lost or at in won:
            return at in lost
        for facet in facets:
            for rest in itertools.product(*(range(at[s] + 1) for s in facet)):
                to = list(at)
                for stack, height in zip(facet, rest):
                    to[stack] = height
                if tuple(to) != at and is_lost(tuple(to)):
                    won.add(at)
                    return False
        lost.add(at)
        return True

    for at in positions:
        is_lost(tuple(int(height) for height in at))


#: One game for each theorem, and those that people ask about most.
GAMES = [
    "CN(4,2)", "CN(5,2)", "CN(5,3)", "CN(6,3)", "CN(6,4)", "CN(7,3)", "CN(7,4)", "CN(8,3)", "CN(8,6)", "CN(9,4)",
    "CN(12,5)", "CN(13,5)", "Nim(4)", "Nim(12)", "CN(6,6)", "CN(6,5)", "Moore(5,2)", "misere Nim(4)", "Matrix(3,2)",
    "PN(5,3)", "PN(12,6)", "H", "NN(8,4)", "Set(abc,ad,bd)", "Set(bc,ad)", "Set(abc,ad,bd,cd)", "Set(abf,bcf,cdf,def,aef)",
    "Set(ab,ac,ad,ae,bcde)", "Exact(3,2)", "Exact(4,2)",
    "Slow(4,{1,3})", "Slow(4,{1,4})", "Slow(4,{3})", "Slow(4,{3,4})", "Slow(5,{1,2})", "Slow(5,{1,2,3})",
    "Slow(4,{2})",
]


def outcomes() -> None:
    """Positions per second and core."""
    rng = np.random.default_rng(1)
    print(f"{'positions per second and core':<34} {'outcomes':>12} {'best_moves':>12} {'solve':>10}")
    for text in GAMES:
        game = Game(text)
        many = rng.integers(0, 10**9, size=(30_000, game.stacks))
        few = many[:100]
        if "?" in game.outcomes(few, time=1):
            print(f"{text:<34} not decided")
            continue
        rates = [
            len(many) / cpu(lambda: game.outcomes(many)),
            len(many) / cpu(lambda: game.best_moves(many)),
            len(few) / cpu(lambda: [game.solve(at).outcome for at in few]),
        ]
        print(f"{text:<34} " + " ".join(f"{rate:>12,.0f}" for rate in rates))


def brute() -> None:
    """A brute force in plain Python, which cannot go high."""
    rng = np.random.default_rng(1)
    game = Game("CN(4,2)")
    low = rng.integers(0, 5, size=(200, 4))
    ours, plain = best(lambda: game.outcomes(low)), best(lambda: brute_force(game, low))
    print(f"CN(4,2), 200 positions up to height 4: {plain / ours:,.0f} times a brute force in plain Python")


if __name__ == "__main__":
    asked = sys.argv[1:] or ["table", "outcomes", "brute"]
    if "table" in asked:
        table()
    if "outcomes" in asked:
        outcomes()
    if "brute" in asked:
        brute()
