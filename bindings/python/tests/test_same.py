"""The library, the command line and this package give the same answers, byte by byte."""

import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nimatron
from conftest import needed, questions

COUNT = 2000


def test_the_same_questions_have_the_same_answers(tmp_path: Path) -> None:
    cli, answers = needed("NIMATRON_CLI"), needed("NIMATRON_ANSWERS")
    asked = questions(COUNT)
    assert len(asked) == COUNT

    def written(heights):
        return ",".join(map(str, heights))

    # Proofs that the user keeps are not asked.
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}

    def by_library(questions):
        lines = "".join(f"{game}\t{written(heights)}\n" for game, heights in questions)
        done = subprocess.run([answers], input=lines, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def by_command(question):
        game, heights = question
        command = [cli, "solve", game, written(heights), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, (question, done.stderr)
        return done.stdout.rstrip("\n")

    def by_python(question):
        game, heights = question
        return nimatron.Game(game).solve(heights).to_json()

    library = by_library(asked)
    with ThreadPoolExecutor(2) as pool:
        commands = list(pool.map(by_command, asked))
    ours = [by_python(question) for question in asked]
    assert len(library) == len(commands) == len(ours) == COUNT
    for question, a, b, c in zip(asked, library, commands, ours):
        # Whoever has not answered within a second by computing looks for a proof: on a machine that is busy
        # with other things that may happen at any question, and the answer tells of it.
        for _ in range(5):
            if a == b == c or not searched(a, b, c):
                break
            (a,), b, c = by_library([question]), by_command(question), by_python(question)
        assert a == b == c, question


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    """One object for all questions about a game, in another order, by several threads."""
    asked = questions(400, seed=3)
    fresh = [nimatron.Game(game).solve(heights).to_json() for game, heights in asked]
    games = {game: nimatron.Game(game) for game, _ in asked}

    def again(i: int) -> None:
        game, heights = asked[i]
        # As above: what a busy machine has no time for is asked again.
        for _ in range(5):
            told = games[game].solve(heights).to_json()
            if told == fresh[i] or not searched(told, fresh[i]):
                break
            fresh[i] = nimatron.Game(game).solve(heights).to_json()
        assert told == fresh[i], asked[i]

    for i in reversed(range(len(asked))):
        again(i)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(again, range(len(asked))))


def searched(*answers: str) -> bool:
    """Whether one of them looked for a proof, because computing took too long."""
    return any('"discovery":{' in answer for answer in answers)


def without_times(text: str) -> str:
    return re.sub(r'"([a-z_]*seconds[a-z_]*|checked_up_to)":[-0-9.e]+', r'"\1":0', text)


def test_other_commands_agree_too(tmp_path: Path) -> None:
    cli = needed("NIMATRON_CLI")
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}

    def command(*words):
        done = subprocess.run([cli, *words, "--json"], capture_output=True, text=True, env=environment)
        return done.stdout.rstrip("\n")

    def printed(*words):
        done = subprocess.run([cli, *words], capture_output=True, text=True, env=environment)
        return done.stdout

    game, small = nimatron.Game("CN(6,3)"), nimatron.Game("CN(4,2)")
    at = (0, 0, 3, 1, 2, 4)
    text = "0,0,3,1,2,4"
    pairs = [
        (game.info(), ("game", "CN(6,3)")),
        (game.reduce(), ("reduce", "CN(6,3)")),
        (game.reduce(at), ("reduce", "CN(6,3)", text)),
        (game.reduce(at, cone=True), ("reduce", "CN(6,3)", text, "--cone")),
        (game.reduce(at, invariance=True), ("reduce", "CN(6,3)", text, "--invariance")),
        (game.moves(at), ("moves", "CN(6,3)", text)),
        (game.solve(at, all_moves=True), ("solve", "CN(6,3)", text, "--all-moves")),
        (game.after(at, (0, 0, 1, 0, 0, 0)), ("solve", "CN(6,3)", text, "--after", "0,0,1,0,0,0")),
        (game.check("span(ad, be, cf, ace, bdf)", max=3),
         ("check", "CN(6,3)", "span(ad, be, cf, ace, bdf)", "--max", "3")),
        (game.invariants(max=2), ("invariants", "CN(6,3)", "--max", "2")),
        (game.cheatsheet(), ("cheatsheet", "CN(6,3)")),
        (nimatron.Game("CN(9,4)").cheatsheet(), ("cheatsheet", "CN(9,4)")),
        (nimatron.Game("CN(9,4)").cheatsheet(cases=True), ("cheatsheet", "CN(9,4)", "--cases")),
        (game.subgames(), ("subgames", "CN(6,3)")),
        (game.circuits(), ("circuits", "CN(6,3)")),
        (game.circuits(size=2, limit=3), ("circuits", "CN(6,3)", "--size", "2", "--limit", "3")),
        (nimatron.circuits("CN(100,40)"), ("circuits", "CN(100,40)")),
        (small.guess(max=6), ("guess", "CN(4,2)", "--max", "6")),
        (nimatron.guess_family("CN(n,n-1)", 3, 5, max=4),
         ("guess", "CN(n,n-1)", "--family", "--from", "3", "--to", "5", "--max", "4")),
        (small.compare("Set(ab,bc,cd,ad)", max=5), ("compare", "CN(4,2)", "Set(ab,bc,cd,ad)", "--max", "5")),
        (small.compare("CN(4,3)", max=5), ("compare", "CN(4,2)", "CN(4,3)", "--max", "5")),
        (nimatron.conjecture("subset", 4), ("conjecture", "subset", "--stacks", "4")),
        (nimatron.conjecture("order-types"), ("conjecture", "order-types")),
        (nimatron.theorems(name="cn-5-2"), ("theorems", "--show", "cn-5-2")),
        (nimatron.theorems("CN(9,4)"), ("theorems", "CN(9,4)")),
        (nimatron.theorems(), ("theorems",)),
        (nimatron.theorems("CN(5,2)"), ("theorems", "CN(5,2)")),
        (nimatron.theorems("PN(3,2) + Nim(1)"), ("theorems", "PN(3,2) + Nim(1)")),
        (nimatron.atlas(), ("atlas",)),
        (nimatron.atlas(4), ("atlas", "4")),
        (nimatron.atlas(circular=True), ("atlas", "--circular")),
        (nimatron.atlas(slow=True, open=True), ("atlas", "--slow", "--open")),
        (nimatron.atlas(game="CN(9,4)"), ("atlas", "--game", "CN(9,4)")),
    ]
    for answer, words in pairs:
        assert answer.to_json() == command(*words), words
        # The command line may add which of its options tells more.
        assert printed(*words).startswith(answer.text()), words
    # With times in them.
    timed = [
        (game.check("a = b", max=3, necessary=True), ("check", "CN(6,3)", "a = b", "--max", "3", "--necessary")),
        (small.prove("a = c", sufficient=True, where="b = d"),
         ("prove", "CN(4,2)", "a = c", "--sufficient", "--where", "b = d")),
        (small.prove(), ("prove", "CN(4,2)")),
        (small.prove("a = c"), ("prove", "CN(4,2)", "a = c")),
        (nimatron.Game("Set(ab,ac,bc,ad)").discover(), ("discover", "Set(ab,ac,bc,ad)")),
        (nimatron.conjecture("peeling", 5), ("conjecture", "peeling", "--stacks", "5")),
    ]
    for answer, words in timed:
        assert without_times(answer.to_json()) == without_times(command(*words)), words
    certificate = game.prove("span(ad, be, cf, ace, bdf)").certificate
    certificate.save(tmp_path / "c.json")
    assert certificate.verify().to_json() == command("verify", str(tmp_path / "c.json"))
    table = nimatron.Game("CN(5,2)").table(max=5)
    printed = json.loads(command("table", "CN(5,2)", "--max", "5"))
    for key in ("game", "max", "positions", "p_count", "p_orbits", "partial", "limit"):
        assert table.to_dict()[key] == printed[key], key
