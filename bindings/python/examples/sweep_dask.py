"""Surveys all set systems on some number of stacks with Dask, and prints what ``nimatron atlas`` would.

    python sweep_dask.py                 # 4 stacks, workers on this machine
    python sweep_dask.py 4 --json        # the same as one JSON object
    python sweep_dask.py 3 --scheduler tcp://head:8786

Each game is one task; its survey comes back with the certificate of the proof that was found. A worker that
dies loses the game it is working on, which another one does again.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import List, Optional

from dask.distributed import Client, LocalCluster, as_completed

import nimatron


def survey(game: nimatron.Game, time: float) -> nimatron.Survey:
    """One task. Games and surveys are pickled on the way."""
    return nimatron.Survey.of(game, time=time)


def kill_a_worker(client: Client) -> Optional[int]:
    """Kills one of the workers of this machine, as an accident would. For tests."""
    workers = client.run(os.getpid)
    if len(workers) < 2:
        return None
    victim = int(next(iter(workers.values())))
    os.kill(victim, signal.SIGKILL)
    print(f"killed worker {victim}", file=sys.stderr)
    return victim


def sweep(client: Client, stacks: int, time: float, accident: bool = False) -> nimatron.Atlas:
    """Surveys all set systems on so many stacks."""
    games = nimatron.set_systems(stacks)
    futures = client.map(survey, games, time=time, pure=False, retries=3)
    if accident:
        # When the first games are done, others are being worked on.
        next(iter(as_completed(futures)))
        kill_a_worker(client)
    surveys: List[nimatron.Survey] = client.gather(futures)
    return nimatron.Survey.assemble(surveys, f"Set systems on {stacks} stacks")


def main() -> None:
    parser = argparse.ArgumentParser(description="Surveys all set systems on some number of stacks.")
    parser.add_argument("stacks", type=int, nargs="?", default=4)
    parser.add_argument("--scheduler", help="the address of a Dask scheduler; default: this machine")
    parser.add_argument("--workers", type=int, default=2, help="on this machine")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each game")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--kill-a-worker", action="store_true", help="to see that nothing is lost")
    asked = parser.parse_args()
    if asked.scheduler:
        client = Client(asked.scheduler)
    else:
        cluster = LocalCluster(
            n_workers=asked.workers, threads_per_worker=1, processes=True, dashboard_address=None
        )
        client = Client(cluster)
    with client:
        atlas = sweep(client, asked.stacks, asked.time, asked.kill_a_worker)
        print(atlas.to_json() if asked.json else atlas)


if __name__ == "__main__":
    main()
