"""What objects look like, and that they can be carried about."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import nimatron
from nimatron import Certificate, Game

ROOT = Path(__file__).resolve().parents[3]


def everything():
    game = Game("CN(5,3)")
    proof = game.prove("sym(a = 0, b = e = c+d)")
    table = game.table(max=3)
    table.grundy()
    return [
        game,
        game.info(),
        game.solve((1, 2, 3, 4, 5)),
        game.solve((0, 2, 1, 1, 2)),
        game.after((1, 2, 3, 4, 5), (1, 0, 0, 0, 0)),
        game.moves((1, 1, 1, 1, 1)),
        game.reduce((1, 0, 3, 4, 5)),
        game.check("a = 0", max=2),
        proof,
        proof.certificate,
        proof.certificate.verify(),
        table,
        game.invariants(max=2),
        game.cheatsheet(),
        game.subgames(),
        game.circuits(),
        game.guess(max=3),
        game.compare("CN(5,2)", max=3),
        game.draw(),
        game.paper(),
        game.prove("a = 0", sufficient=True),
        nimatron.circuits("CN(50,20)"),
        nimatron.guess_family("CN(n,n-1)", 3, 4, max=3),
        nimatron.conjecture("order-types"),
        nimatron.atlas(3),
        nimatron.theorems(),
        nimatron.Survey.of("CN(3,2)"),
    ]


def test_everything_can_be_pickled() -> None:
    for thing in everything():
        again = pickle.loads(pickle.dumps(thing))
        assert type(again) is type(thing)
        assert str(again) == str(thing) or isinstance(thing, nimatron.Survey)
        assert repr(again) == repr(thing) or isinstance(thing, nimatron.Survey)
        if isinstance(thing, nimatron.Answer):
            assert again == thing and again.to_dict() == thing.to_dict() and hash(again) == hash(thing)
            assert again._repr_html_() == thing._repr_html_() and again.to_latex() == thing.to_latex()
        assert type(copy.copy(thing)) is type(thing)
    proof = pickle.loads(pickle.dumps(Game("CN(4,2)").prove("a = c, b = d")))
    assert proof.certificate.verify().accepted
    for error in (
        nimatron.NimatronError("a", "b"),
        nimatron.NimatronInputError("a", "b"),
        nimatron.NimatronUnknown("a", "b"),
        nimatron.NimatronLimit("a", "time", {"x": 1}),
        nimatron.NimatronSyntaxError("a", "b", "c", "d", (1, 2), "e"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert vars(again) == vars(error) and str(again) == str(error)


def _solved(game: Game) -> str:
    return game.solve([1] * game.stacks).to_json()


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_other_processes(way: str) -> None:
    games = [Game(text) for text in ("CN(4,2)", "CN(7,3)", "Nim(3)", "H")]
    context = multiprocessing.get_context(way)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(_solved, games)) == [_solved(game) for game in games]


def test_games() -> None:
    game = Game("CN(7,3)")
    assert game == Game(game) == Game("CN(7, 3)") and game != Game("CN(7,4)") and len({game, Game("CN(7,3)")}) == 1
    assert repr(game) == "Game('CN(7,3)')" and str(game) == "CN(7,3)"
    assert Game.from_facets(game.facets).facets == game.facets
    assert len(game.symmetry_generators()) >= 1 and game.stack_orbits() == [(1, 2, 3, 4, 5, 6, 7)]
    assert Game("Nim(2) + CN(3,2)").facets == ((1,), (2,), (3, 4), (3, 5), (4, 5))


def test_proofs_are_kept_and_learned(tmp_path: Path) -> None:
    proof = Game("misere PN(3,2)").discover()
    assert proof.proved and proof.formula
    path = tmp_path / "proof.json"
    proof.certificate.save(path)
    with pytest.raises(FileExistsError):
        proof.certificate.save(path)
    proof.certificate.save(path, overwrite=True)
    assert [p.name for p in tmp_path.iterdir()] == ["proof.json"]
    loaded = Certificate.load(path)
    assert loaded == proof.certificate and loaded.verify(game="misere PN(3,2)").accepted
    assert not loaded.verify(game="PN(3,2)").accepted
    game = Game("misere PN(3,2)")
    game.learn(loaded)
    verdict = pickle.loads(pickle.dumps(game)).solve((10**6, 2 * 10**6, 3 * 10**6))
    assert verdict.decided and verdict.by.kind == "proof"


def test_refuted() -> None:
    proof = Game("CN(4,2)").prove("a = c")
    assert proof.refuted and not proof.proved and proof.counterexample == (0, 0, 0, 1)


def test_versions_agree() -> None:
    text = (ROOT / "Cargo.toml").read_text()
    version = text.split('version = "', 1)[1].split('"', 1)[0]
    assert nimatron.__version__ == version
