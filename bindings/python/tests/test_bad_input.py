"""Whatever is asked, there is an exception or an answer: never a crash, never memory that grows."""

import gc
import math
import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import psutil
import pytest

import nimatron
from nimatron import Certificate, Game, NimatronError

GAME = Game("CN(4,2)")
NAN, INF = math.nan, math.inf


class Hostile:
    """Raises whatever is done with it."""

    def __index__(self):
        raise RuntimeError("no index")

    def __iter__(self):
        raise RuntimeError("no iteration")

    def __len__(self):
        raise RuntimeError("no length")

    def __repr__(self):
        raise RuntimeError("no repr")

    def __array__(self, *_, **__):
        raise RuntimeError("no array")


class Liar:
    """Says that it has four elements, and has none."""

    def __len__(self):
        return 4

    def __iter__(self):
        return iter(())


def expected_errors():
    return (NimatronError, TypeError, ValueError, OverflowError, RuntimeError, OSError)


TEXTS = [
    "", " ", "CN", "CN(", "CN()", "CN(3)", "CN(3,)", "CN(3,7)", "CN(0,0)", "CN(-1,2)", "CN(33,2)",
    "CN(3.5,2)", "CN(99999999999999999999,2)", "Nim(0)", "Nim(33)", "Moore(5,9)", "Set()", "Set(,)",
    "Set(aa", "[[0,1]]", "[[1,2],[99]]", "[]", "[[]]", "PN(3,2)+", "+ PN(3,2)", "misere", "misere misere Nim(2)",
    "Slow(3,{})", "Slow(3,{4})", "Exact(3,0)", "Graph(0-0)", "Cube(", "Matrix(0,0)", "\x00", "CN(7,3)\x00",
    "é", "𝔫𝔦𝔪", "CN(7,3) extra", "a" * 100_000, "(" * 10_000, "Set(" + "a," * 5000 + ")", "\ud800",
]
NOT_TEXT = [None, 3, 3.5, NAN, b"CN(7,3)", ["CN(7,3)"], object(), Hostile(), np.array(["CN(7,3)"]), Game]
POSITIONS = [
    (), (1,), (1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, -1), (1, 2, 3, 2**63), (1, 2, 3, 2**64), (1, 2, 3, 10**400),
    (1, 2, 3, -(10**400)), (1, 2, 3, NAN), (1, 2, 3, INF), (1, 2, 3, 1.0), (1, 2, 3, 1.5), (1, 2, 3, "4"),
    (1, 2, 3, None), (1, 2, 3, True), (1, 2, 3, np.True_), (1, 2, 3, [4]), (1, 2, 3, 1 + 0j), (1, 2, 3, Decimal(4)),
    (1, 2, 3, Fraction(4)), (1, 2, 3, b"4"), None, 5, 5.5, NAN, object(), Hostile(), Liar(), "", "1,2,3",
    "1,2,3,x", "1,2,3,-4", "1,2,3,99999999999999999999", "1,2,3,4,5", "nan,1,2,3", "1" * 100_000, b"1,2,3,4",
    {1: 2, 3: 4, 5: 6, 7: 8}, {1, 2, 3, 4}, np.zeros((1, 4), dtype=int), np.zeros(4), np.zeros(3, dtype=int),
    np.array([1, 2, 3, NAN]), np.array(5), np.array([None] * 4), np.array(list("1234")), range(3), iter([1, 2]),
    (1, 2, 3, Hostile()), [[1], [2], [3], [4]],
]
ARRAYS = [
    None, 5, 5.5, "1,2,3,4", b"1234", object(), Hostile(), np.array(5), np.zeros((2, 3), dtype=int),
    np.zeros((2, 5), dtype=int), np.zeros((4, 2), dtype=int), np.zeros((2, 4)), np.full((2, 4), NAN),
    np.full((2, 4), INF), np.zeros((2, 4), dtype=bool), np.zeros((2, 4), dtype=complex),
    np.zeros((2, 4), dtype=object), np.zeros((2, 4), dtype="U1"), np.zeros((2, 4), dtype="S1"),
    np.zeros((2, 4), dtype="M8[s]"), np.zeros((2, 4), dtype="m8[s]"), np.zeros(2, dtype=[("a", int)]),
    np.full((2, 4), -1), np.full((2, 4), -1, dtype=np.int8), np.full((2, 4), 2**63, dtype=np.uint64),
    np.full((2, 4), 2**64 - 1, dtype=np.uint64), [[1, 2, 3]], [[1, 2, 3, 4], [1, 2, 3]], [[1, 2, 3, 10**30]],
    [[1, 2, 3, None]], [["a", "b", "c", "d"]], [[1.5, 2, 3, 4]], {1: 2}, np.zeros((2, 0), dtype=int),
    np.zeros((0, 3), dtype=int), np.ma.masked_all((2, 4), dtype=int), np.zeros((2, 4), dtype=np.float16),
    np.zeros((2, 4), dtype=np.longdouble), [[-1, 0, 0, 0]], np.zeros((1,) * 20 + (3,), dtype=int),
]
NUMBERS = [-1, 0.5, NAN, INF, "3", None, [], object(), Hostile(), True, 10**30, -(10**30), b"1", 1j]
FORMULAS = [
    "", " ", "a", "a =", "= a", "a = b = ", "a + b", "z = 0", "a = 99999999999999999999", "sym(", "(" * 5000,
    "a = b" + ", a = b" * 20_000, "é = 1", "a & b", "\x00", "a < b <", "min() = a", None, 5, b"a = b",
    ["a = b"], Hostile(),
]
LIMITS = [-1, NAN, -INF, "5", "5m", [], object(), Hostile(), True, 1j, -0.5, b"1"]


def questions():
    """Every bad question as a name and a function without arguments."""
    for text in TEXTS + NOT_TEXT:
        yield "Game", lambda text=text: Game(text)
    for position in POSITIONS:
        yield "solve", lambda p=position: GAME.solve(p)
        yield "moves", lambda p=position: GAME.moves(p)
    for position in POSITIONS[:20]:
        yield "after", lambda p=position: GAME.after((1, 2, 3, 4), p)
    for array in ARRAYS:
        yield "outcomes", lambda a=array: GAME.outcomes(a)
        yield "best_moves", lambda a=array: GAME.best_moves(a)
    for number in NUMBERS:
        yield "table", lambda n=number: GAME.table(max=n)
        yield "limit", lambda n=number: GAME.solve((1, 2, 3, 4), all_moves=True, limit=n)
        yield "stacks", lambda n=number: nimatron.set_systems(n)
        if number is not None:
            yield "threads", lambda n=number: GAME.outcomes([[1, 2, 3, 4]], threads=n)
            yield "max", lambda n=number: GAME.invariants(max=n)
        yield "facets", lambda n=number: Game.from_facets([[1, n]])
    for formula in FORMULAS:
        yield "check", lambda f=formula: GAME.check(f, max=2)
        if formula is not None:
            yield "prove", lambda f=formula: GAME.prove(f)
    for limit in LIMITS:
        yield "time", lambda t=limit: GAME.solve((1, 2, 3, 4), time=t)
        yield "memory", lambda m=limit: GAME.solve((1, 2, 3, 4), memory=m if m != -0.5 else -1)
        yield "progress", lambda p=limit: GAME.table(max=3, progress=p if p is not True else 7)
    for facets in (None, 5, "abc", [], [[]], [1, 2], [[1], None], [["a"]], [[0]], [[33]], [[1, 40]], Hostile()):
        yield "from_facets", lambda f=facets: Game.from_facets(f)
    yield "take", lambda: GAME.after((1, 2, 3, 4), (1, 1, 1, 0))
    yield "take", lambda: GAME.after((1, 2, 3, 4), (2, 0, 0, 0))
    yield "take", lambda: GAME.after((1, 2, 3, 4), (0, 0, 0, 0))
    yield "huge table", lambda: GAME.table(max=2**40)
    yield "huge table", lambda: GAME.table(max=2**63 - 1)
    yield "huge values", lambda: GAME.table(max=1).__class__ and Game("Nim(6)").table(max=1).grundy(memory=1)
    yield "small memory", lambda: Game("CN(8,3)").table(max=20, memory=10)
    yield "no time", lambda: Game("CN(6,2)").table(max=40, time=0)
    yield "engine", lambda: GAME.table(max=3, engine="magic")
    yield "engine", lambda: GAME.table(max=3, engine=5)
    yield "method", lambda: GAME.prove("a = c, b = d", method="magic")
    yield "method", lambda: GAME.discover(method=None)
    yield "no formula", lambda: Game("CN(6,2)").prove()
    yield "symmetries", lambda: Game("Nim(2) + CN(3,2)").symmetries
    yield "facets", lambda: Game("Moore(30,15)").facets
    yield "atlas", lambda: nimatron.atlas(9)
    yield "atlas", lambda: nimatron.atlas(game="CN(20,3)")
    yield "atlas", lambda: nimatron.atlas(4, circular=True)
    yield "theorems", lambda: nimatron.theorems(name="nonsense")
    yield "certificate", lambda: Certificate(5)
    yield "certificate", lambda: Certificate.load("/nonexistent/file")
    yield "certificate", lambda: GAME.learn(Certificate(b"{}"))
    yield "certificate", lambda: GAME.learn("text")
    yield "vectors", lambda: GAME.reduce((1, 2, 3, 4), vectors=[[9]])
    yield "vectors", lambda: GAME.reduce(invariance=True)
    for thing in NOT_TEXT + ["", "magic", "\x00", "\ud800"]:
        if thing is not None:
            yield "what", lambda w=thing: GAME.draw(what=w)
            yield "layout", lambda w=thing: GAME.draw(layout=w)
            yield "heights", lambda w=thing: GAME.draw((1, 2, 3, 4), heights=w)
            yield "values", lambda w=thing: GAME.draw(what="slice", values=w)
            yield "where", lambda w=thing: GAME.check("a = c, b = d", max=2, where=w)
            yield "where", lambda w=thing: GAME.prove("a = c, b = d", where=w)
            yield "paper", lambda w=thing: GAME.paper(w)
            yield "theme", lambda w=thing: GAME.draw().svg(theme=w)
            yield "format", lambda w=thing: GAME.paper("a = c, b = d").files(w)
            yield "name", lambda w=thing: nimatron.theorems(name=w)
            yield "method", lambda w=thing: GAME.discover(method=w)
        yield "compare", lambda w=thing: GAME.compare(w)
        yield "conjecture", lambda w=thing: nimatron.conjecture(w, 4)
        yield "family", lambda w=thing: nimatron.guess_family(w)
        yield "circuits", lambda w=thing: nimatron.circuits(w)
    for number in NUMBERS:
        if number is not None:
            yield "draw", lambda n=number: GAME.draw(what="growth", max=n)
            yield "guess", lambda n=number: GAME.guess(max=n)
            yield "compare", lambda n=number: GAME.compare("CN(4,3)", max=n)
            yield "size", lambda n=number: GAME.circuits(size=n)
        yield "first", lambda n=number: nimatron.guess_family("CN(n,2)", n)
        yield "conjecture", lambda n=number: nimatron.conjecture("subset", n)
        yield "point", lambda n=number: GAME.draw(point=[n])
        yield "budget", lambda n=number: Certificate(b"{}").verify(budget=n)
    for position in POSITIONS:
        if position is not None:
            yield "draw", lambda p=position: GAME.draw(p)
            yield "reduce", lambda p=position: GAME.reduce(p)
    for array in ARRAYS:
        yield "contains", lambda a=array: GAME.table(max=1).contains(a)
    yield "both sides", lambda: GAME.check("a = c", max=2, necessary=True, sufficient=True)
    yield "method", lambda: GAME.prove("a = c", necessary=True, method="regions")
    yield "threads", lambda: nimatron.conjecture("subset", 4, threads=2)
    yield "stacks", lambda: nimatron.conjecture("order-types", 4)
    yield "stacks", lambda: nimatron.conjecture("subset")
    yield "stacks", lambda: GAME.compare("CN(5,2)")
    yield "cases", lambda: GAME.cheatsheet(cases=True)
    yield "survey", lambda: nimatron.Survey.of("Nim(2) + CN(3,2)")
    yield "survey", lambda: nimatron.Survey.assemble([nimatron.Survey("{}", None)])
    yield "survey", lambda: nimatron.Survey.assemble([nimatron.Survey("nonsense", b"\xff")])


def test_bad_questions_raise() -> None:
    asked = list(questions())
    assert len(asked) >= 300, len(asked)
    print(len(asked), "bad questions")
    answered = []
    for place, (name, question) in enumerate(asked):
        try:
            question()
        except expected_errors() as error:
            # That would be a mistake in the program.
            assert not isinstance(error, nimatron.NimatronInternalError), (place, name, error)
            try:
                assert str(error), (place, name)
            except RuntimeError:
                pass
        else:
            answered.append((place, name))
    assert not answered, answered


def test_certificates_of_any_bytes_are_rejected() -> None:
    rng = np.random.default_rng(5)
    good = GAME.prove("a = c, b = d").certificate.text
    for i in range(200):
        bad = bytearray(good)
        for at in rng.integers(0, len(bad), size=1 + i % 5):
            bad[at] = rng.integers(0, 256)
        verification = Certificate(bytes(bad)).verify()
        # What is still accepted says the same about the same game, or something true.
        assert verification.accepted in (True, False)
        if not verification:
            assert verification.to_dict()["message"]


def test_errors_say_where() -> None:
    with pytest.raises(nimatron.NimatronSyntaxError) as caught:
        Game("CN(3,7)")
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.message == "the size of a move set must be from 1 to 3, not 7"
    assert (error.span, error.text, error.hint) == ((5, 6), "CN(3,7)", "CN(7,3)")
    assert "^" in str(error)
    with pytest.raises(nimatron.NimatronSyntaxError) as caught:
        GAME.check("a = c, b = ", max=2)
    assert caught.value.span == (11, 11)
    with pytest.raises(nimatron.NimatronSyntaxError) as caught:
        GAME.solve("1,2,3")
    assert caught.value.kind


def test_threads_at_once() -> None:
    problems = []

    def ask(seed: int) -> None:
        rng = np.random.default_rng(seed)
        try:
            for _ in range(30):
                at = rng.integers(0, 9, size=4)
                outcome = GAME.outcomes(at)[()]
                assert outcome == GAME.solve(at).outcome
                try:
                    GAME.solve(at[:3])
                except nimatron.NimatronInputError:
                    pass
        except BaseException as error:  # a thread must not die unnoticed
            problems.append(error)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems


def test_memory_does_not_grow() -> None:
    process = psutil.Process()
    at = (3, 1, 4, 1)
    array = np.array([at] * 10)

    def round_of_calls(count: int) -> None:
        for i in range(count):
            if i % 10 == 0:
                GAME.solve(at).to_dict()
            elif i % 10 == 1:
                try:
                    Game("CN(3,7)")
                except nimatron.NimatronSyntaxError:
                    pass
            elif i % 10 == 2:
                GAME.best_moves(array)
            elif i % 100 == 3:
                GAME.table(max=4).grundy()
            else:
                try:
                    GAME.outcomes(array[:, :3])
                except nimatron.NimatronInputError:
                    pass
                GAME.facets

    round_of_calls(5_000)
    gc.collect()
    before = process.memory_info().rss
    round_of_calls(100_000)
    gc.collect()
    grown = process.memory_info().rss - before
    print(f"100,000 calls: {grown / 1e6:.1f} MB more")
    assert grown < 20e6, grown
