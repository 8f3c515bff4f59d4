"""Sources of picture pairs: the same for a seed, true to their facts and change logs, calm about bad files."""

import importlib.metadata
import pickle
from itertools import combinations, pairwise

import numpy as np
import pytest
from PIL import Image

from mmgames.core import discovery
from mmgames.games.spy import pictures
from mmgames.games.spy.listening import heard
from mmgames.games.spy.pictures import boards, chart, clevr, ray_caster
from mmgames.games.spy.pictures.folder import Folder, read_picture
from mmgames.games.spy.pictures.noise import Noisy
from mmgames.games.spy.pictures.pair import Blank, Pair
from tests.refusing import refused


def pairs(description: str, count: int) -> list[Pair]:
    source = pictures.find(description)
    return [source.pair(np.random.default_rng(seed)) for seed in range(count)]


@pytest.mark.parametrize("name", ("clevr", "chart", "boards"))
def test_a_seed_gives_the_same_pair_whose_facts_disagree_just_where_something_changed(name):
    for one, other in zip(pairs(name, 4), pairs(name, 4), strict=True):
        assert one == other and hash(one) == hash(other) and one == pickle.loads(pickle.dumps(one))
        for scene, same in ((one.original, other.original), (one.changed, other.changed)):
            assert np.array_equal(scene.draw(128), same.draw(128))
    for pair in pairs(name, 20):
        before, after = dict(pair.original.facts()), dict(pair.changed.facts())
        assert before.keys() == after.keys()
        differ = [topic for topic in before if before[topic] != after[topic]]
        assert differ and pair.changes and not np.array_equal(pair.original.draw(160), pair.changed.draw(160))
        for change in pair.changes:
            assert change.before != change.after and any(change.thing in topic for topic in differ)


@pytest.mark.parametrize("changes,attributes", [(1, "colour"), (2, "colour+shape"), (3, "size+material")])
def test_clevr_changes_what_it_is_told_to(changes, attributes):
    wanted = attributes.split("+")
    for pair in pairs(f"clevr:changes={changes},attributes={attributes}", 15):
        things = zip(pair.original.things, pair.changed.things, strict=True)
        differ = [{name for name in one._fields if getattr(one, name) != getattr(other, name)} for one, other in things]
        assert sorted(map(len, differ)) == [0] * (len(differ) - changes) + [len(wanted)] * changes
        assert all(found in (set(), set(wanted)) for found in differ)
        assert len(pair.changes) == changes * len(wanted) and 4 <= len(differ) <= 6


def test_every_object_is_whole_hardly_hidden_and_named_from_left_to_right():
    for pair in pairs("clevr", 40):
        for scene in (pair.original, pair.changed):
            # Seen through a frame that leaves a little of the picture's rim out: nothing comes near the edge.
            shown = ray_caster.outlines(clevr._table(scene.things), clevr._camera(scene.camera, 0.97), 160, 120)
            alone, seen, cut = shown.T
            assert not cut.any()
            assert (seen >= 0.6 * alone).all()  # the check itself is made with larger pixels
            assert seen.min() >= 40
    for pair in pairs("clevr", 20):
        across = [thing["picture_x"] for thing in pair.changed.record()["objects"]]
        assert across == sorted(across) and min(np.diff(across)) > 0.05


def alone(**facts: str) -> np.ndarray:
    """The pixels of one large object in the middle of the picture, from inside its outline."""
    thing = clevr.Thing(**{"size": "large", "x": 0.0, "y": 0.0, "turn": 0.06, **facts})
    scene = clevr.ClevrScene((thing,), (0.0, -9.6, 5.6), ((-4.2, -4.6, 7.2), (6.4, -3.2, 4.6), (1.8, 5.2, 6.2)))
    return scene.draw(320)[100:140, 145:175].reshape(-1, 3).astype(float)


@pytest.mark.parametrize("material", clevr.MATERIALS)
@pytest.mark.parametrize("shape", clevr.SHAPES)
def test_the_eight_colours_look_different(shape, material):
    means = {colour: alone(colour=colour, shape=shape, material=material).mean(0) for colour in clevr.COLOURS}
    for one, other in combinations(means, 2):
        assert np.linalg.norm(means[one] - means[other]) > 40, (one, other)


@pytest.mark.parametrize("shape", clevr.SHAPES)
@pytest.mark.parametrize("colour", clevr.COLOURS)
def test_metal_looks_different_from_rubber(shape, colour):
    rubber, metal = (alone(colour=colour, shape=shape, material=material) for material in clevr.MATERIALS)
    assert np.abs(rubber - metal).mean() > 9


def test_chart_values_differ_and_two_of_them_are_swapped():
    for pair in pairs("chart", 60):
        one, other = pair.original, pair.changed
        assert len(set(one.values)) == len(one.values) and sorted(one.values) == sorted(other.values)
        assert sum(a != b for a, b in zip(one.values, other.values, strict=True)) == 2
        assert sum(one.values) == 100 if one.kind == "pie" else max(one.values) <= one.step * chart.LINES
    assert {pair.original.kind for pair in pairs("chart", 60)} == set(chart.KINDS)
    widest = max((theme for theme in chart.THEMES), key=lambda theme: sum(map(len, theme.items)) / len(theme.items))
    for theme in (widest, *chart.THEMES):
        for items in (theme.items[:7], sorted(theme.items, key=len)[-7:]):
            values = tuple(range(2, 2 + len(items)))
            scene = chart.ChartScene("bar", theme.title, theme.unit, tuple(items), values, 2, 0)
            for size in (160, 320):
                below = scene.draw(size)[round(size * 0.675) : round(size * 0.73)]
                middles = [0.125 + 0.845 * (place + 0.5) / len(items) for place in range(len(items))]
                for one, other in pairwise(middles):
                    # Somewhere between the middles of two labels there is a column without a letter.
                    strip = below[:, round(one * size) : round(other * size)]
                    assert (strip.min(axis=(0, 2)) > 200).any(), (theme.title, items, size)


def _patches(one: np.ndarray, other: np.ndarray, size: int) -> int:
    """In how many separate places two pictures differ; what is closer than a cell of this size is one place."""
    left = {(y // size, x // size) for y, x in np.argwhere((one != other).any(axis=2)).tolist()}
    found = 0
    while left:
        found += 1
        reached = [left.pop()]
        while reached:
            y, x = reached.pop()
            near = {(y + down, x + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
            left -= near
            reached += near
    return found


def test_boards_show_no_other_difference_than_those_in_the_log():
    source = pictures.find("boards")
    for seed in range(120):
        pair = source.pair(np.random.default_rng(seed))
        board = boards._board(pair.original.game)
        one, other = pair.original.draw(160), pair.changed.draw(160)
        assert 1 <= _patches(one, other, 4) <= len(pair.changes), (seed, pair.original.game)
        where = [board.cells(scene.view) for scene in (pair.original, pair.changed)]
        assert (np.array(where[0]) != np.array(where[1])).sum() == len(pair.changes)
        if pair.original.game == "mmgames/Sudoku-v0":  # a digit that was filled in would have a colour of its own
            colours = [set(map(tuple, picture.reshape(-1, 3).tolist())) for picture in (one, other)]
            assert not any(max(c) - min(c) > 60 for c in colours[0] ^ colours[1])


@pytest.mark.parametrize("kind", chart.MORE_KINDS)
def test_bars_lie_and_those_of_two_series_stand_beside_or_on_each_other(kind):
    for seed in range(6):
        pair = pictures.find(f"chart:kinds={kind}").pair(np.random.default_rng(seed))
        assert len(pair.changes) == 2 and len(set(pair.original.values)) == len(pair.original.items)
        assert (pair.original.draw(96) != pair.changed.draw(96)).any()
        for fact in pair.original.facts():
            said = fact.sentence.replace(" is ", ": ", 1)
            assert heard(said, pair.original) == "true"
            assert heard(said, pair.changed) == ("true" if fact in pair.changed.facts() else "false")


def test_noise_strikes_a_share_of_the_pairs_and_leaves_the_others_alone():
    source = pictures.find("chart")
    calm = [source.pair(np.random.default_rng(seed)) for seed in range(400)]
    for kind, made in (("blank", {"blank"}), ("identical", {"identical"}), ("both", {"blank", "identical"})):
        noisy = Noisy(source, 0.25, kind)
        found = set()
        struck = 0
        for seed, pair in enumerate(calm):
            other = noisy.pair(np.random.default_rng(seed))
            assert other.original == pair.original
            if other.changed == pair.changed:
                assert other == pair
                continue
            struck += 1
            assert not other.changes
            found.add("blank" if other.changed == Blank() else "identical")
            assert other.changed in (Blank(), pair.original)
        assert found == made and 70 <= struck <= 130
    assert all(Noisy(source, 0.0).pair(np.random.default_rng(s)) == pair for s, pair in enumerate(calm[:50]))


def test_unknown_sources_and_options_are_refused(monkeypatch):
    refused(lambda: pictures.find("clever"), "'clever'", "Did you mean 'clevr'?")
    refused(lambda: pictures.find("clevr:change=1"), "'change'", "Did you mean 'changes'?")
    refused(lambda: pictures.find("clevr:changes=5"), "changes=5")
    refused(lambda: pictures.find("clevr:attributes=colour+taste"), "'taste'")
    refused(lambda: pictures.find("chart:kinds=donut"), "'donut'")
    refused(lambda: pictures.find("chart:swaps=9"), "swaps=9")
    refused(lambda: pictures.find("boards:game=Hanabi"), "'Hanabi'")
    refused(lambda: pictures.find("folder:/no/such/place"), "/no/such/place")
    refused(lambda: pictures.find(7), "7")
    entry = importlib.metadata.EntryPoint("stripes", f"{__name__}:Stripes", "mmgames.pictures")
    found = importlib.metadata.EntryPoints([entry])
    monkeypatch.setattr(discovery, "_all_entry_points", lambda: found)
    pictures.makers.cache_clear()
    try:
        assert {"stripes", "clevr"} <= set(pictures.makers())
        assert pictures.find("stripes:width=3").pair(np.random.default_rng(0)).original == Blank(3)
    finally:
        pictures.makers.cache_clear()


class Stripes:
    def __init__(self, width: int = 8) -> None:
        self.width = width

    def pair(self, rng):
        return Pair(Blank(self.width), Blank(int(rng.integers(255))), ())


def save(path, shape=(40, 60), mode="RGB", fill=90) -> None:
    Image.fromarray(np.full((*shape, 3), fill, np.uint8)).convert(mode).save(path)


def test_a_folder_uses_what_is_whole_and_reports_the_rest_by_name(tmp_path):
    for name in ("a", "b", "half", "twice", "unequal", "text", "torn"):
        save(tmp_path / f"{name}_original.png")
        if name not in ("half", "text"):
            save(tmp_path / f"{name}_modified.png", shape=(41 if name == "unequal" else 40, 60), fill=200)
    for name in ("twice_original.jpg", "unrelated.png"):
        save(tmp_path / name)
    (tmp_path / "text_modified.png").write_text("no picture")
    for part in ("original", "modified"):
        save(tmp_path / f"tiny_{part}.png", shape=(3, 3))
        Image.new("1", (20_000, 20_000)).save(tmp_path / f"giant_{part}.png")
    torn = (tmp_path / "torn_modified.png").read_bytes()
    (tmp_path / "torn_modified.png").write_bytes(torn[: len(torn) // 2])
    with pytest.warns(UserWarning, match="left out"):
        source = Folder(str(tmp_path))
    assert {"half", "twice", "unequal", "tiny", "text", "giant"} <= source.problems.keys()
    with pytest.warns(UserWarning, match="torn"):
        drawn = [source.pair(np.random.default_rng(seed)) for seed in range(30)]
    assert {pair.name for pair in drawn} == {"a", "b"} and "torn" in source.problems
    assert drawn[0].original.facts() == () and drawn[0].original.draw(64).shape == (48, 64, 3)
    assert not np.array_equal(drawn[0].original.draw(64), drawn[0].changed.draw(64))


def test_folders_without_a_pair_and_files_that_changed_are_refused_and_a_csv_lists_pairs(tmp_path):
    refused(lambda: pictures.find(f"folder:{tmp_path}"), str(tmp_path), "_original")
    for name in ("x", "y", "z"):
        save(tmp_path / f"{name}.png", fill=ord(name))
    lines = ["original,modified,name", "x.png,y.png,first", "y.png,z.png,first", "x.png,,", "x.png,gone.png,lost"]
    (tmp_path / "pairs.csv").write_text("\n".join(lines))
    with pytest.warns(UserWarning, match="left out"):
        source = Folder(str(tmp_path / "pairs.csv"))
    assert list(source.pairs) == ["first"] and {"line 3", "line 4", "lost"} <= source.problems.keys()
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    refused(lambda: Folder(str(tmp_path / "other.csv")), "original", "modified")
    save(tmp_path / "a_original.png")
    save(tmp_path / "a_modified.png", fill=10)
    scene = Folder(str(tmp_path)).pair(np.random.default_rng(0)).original
    save(tmp_path / "a_original.png", fill=200)
    refused(lambda: scene.draw(64), "has changed")


def test_pictures_of_every_mode_come_out_as_plain_colour(tmp_path):
    shades = np.tile(np.linspace(0, 255, 64).round().astype(np.uint8), (32, 1))
    grey = Image.fromarray(shades)
    colour = Image.merge("RGB", [grey, grey.transpose(Image.Transpose.FLIP_LEFT_RIGHT), grey])
    deep = Image.fromarray(shades.astype(np.uint16) * 257)
    saved = {"rgb.png": colour, "l.png": grey, "deep.png": deep, "deep.tif": deep, "cmyk.jpg": colour.convert("CMYK")}
    clear = colour.convert("RGBA")
    clear.putalpha(0)
    saved |= {"clear.png": clear, "palette.gif": colour.convert("P"), "one.png": grey.convert("1")}
    found = {}
    for name, image in saved.items():
        image.save(tmp_path / name)
        found[name], _ = read_picture(tmp_path / name)
        assert found[name].shape == (32, 64, 3) and found[name].dtype == np.uint8
    assert np.array_equal(found["rgb.png"], np.asarray(colour))
    for name in ("l.png", "deep.png", "deep.tif"):
        assert np.abs(found[name][:, :, 0].astype(int) - shades).max() <= 1, name
    assert np.abs(found["cmyk.jpg"].astype(int) - np.asarray(colour)).mean() < 12 and (found["clear.png"] == 255).all()


def patchwork(path) -> np.ndarray:
    rng = np.random.default_rng(0)
    smooth = np.kron(rng.integers(0, 256, (6, 8, 3)), np.ones((20, 20, 1))).astype(np.uint8)
    Image.fromarray(smooth).save(path)
    return smooth


def test_neither_copy_of_a_photograph_looks_more_edited(tmp_path):
    picture = patchwork(tmp_path / "holiday.png").astype(float)
    source = pictures.find(f"photo:{tmp_path}")
    kinds, numbers, ahead = set(), set(), []
    for seed in range(30):
        pair = source.pair(np.random.default_rng(seed))
        one, other = pair.original, pair.changed
        made = [sorted((edit.kind, edit.half) for edit in scene.edits) for scene in (one, other)]
        assert made[0] == made[1]
        differing = [(a, b) for a, b in zip(one.edits, other.edits, strict=True) if a != b]
        assert len(differing) == 1 and len(pair.changes) == 1
        far = [np.abs(scene.draw(160) - picture).mean() for scene in (one, other)]
        assert abs(far[0] - far[1]) < 0.12 * max(far)
        kinds.add(differing[0][0].kind)
        numbers.add(len(one.edits))
        ahead.append(far[0] > far[1])
    assert kinds == {"hue", "removal", "shape"} and numbers == {3, 4, 5} and 5 < sum(ahead) < 25


def test_copies_of_a_photograph_differ_where_the_log_says(tmp_path):
    patchwork(tmp_path / "holiday.png")
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    source = pictures.find(f"photo:{tmp_path}")
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning, match=r"broken\.jpg"):
        found = [source.pair(np.random.default_rng(seed)) for seed in range(24)]
    for pair in found:
        one, other = next((a, b) for a, b in zip(pair.original.edits, pair.changed.edits, strict=True) if a != b)
        differs = (pair.original.draw(160) != pair.changed.draw(160)).any(axis=2)
        logged = np.zeros_like(differs)
        for edit in (one, other):
            ends = [
                [round(wide * (at + by * edit.half)) for by in (-1, 1)] for wide, at in ((120, edit.y), (160, edit.x))
            ]
            rows, columns = (slice(*both) for both in ends)
            assert differs[rows, columns].any() and edit.place in pair.changes[0].thing
            logged[rows, columns] = True
        assert not (differs & ~logged).any()
        assert pair.changes[0].before != pair.changes[0].after and pair.name == "holiday"
        again = source.vary(pair.changed, rng)
        assert again is None or (again.original == pair.changed != again.changed)
    assert source.pair(np.random.default_rng(3)) == found[3]
    refused(lambda: pictures.find("photo:/nowhere"), "/nowhere")
    with pytest.warns(UserWarning, match=r"broken\.jpg"):
        refused(lambda: pictures.find(f"photo:{tmp_path / 'broken.jpg'}").pair(rng), "none of the 1 pictures")
