"""TelehealthPuzzle: the manual, the cases, photographs, what each seat gets to see, and the scripted pair."""

import csv
import itertools
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mmgames
from mmgames.baselines.puzzles.telehealth_puzzle import Expert, Solver, advised, signs_in
from mmgames.core import registry
from mmgames.core.live import LiveGame
from mmgames.errors import MmgamesError
from mmgames.puzzles._conversation.rules import EXPERT, SOLVER
from mmgames.puzzles.telehealth_puzzle import lesion as lesions
from mmgames.puzzles.telehealth_puzzle import manual
from mmgames.puzzles.telehealth_puzzle.manual import CODES, LOOKS, SIGNS, STANDARD, matching, right_treatment
from mmgames.puzzles.telehealth_puzzle.patients import PrivateDetails, Profile
from mmgames.puzzles.telehealth_puzzle.photos import COLUMNS
from mmgames.puzzles.telehealth_puzzle.rules import Case, Lesion, seen_of
from tests.refusing import refused
from tests.rules.talking import converse, do, live_at, looks, misanswered, misread, observation, say, states

ROOMS = registry.load("mmgames/TelehealthPuzzle-v0")
PERSON = PrivateDetails("Clara Kimura", "125 Harbour View, Larkfield", "20 August 1960", "B 224 291 878")
PROFILE = Profile(64, "female", 2, "face", (8, 6), ("yes", "no", "no", "no", "yes", "no"))
# A crust over a red, ragged lesion of 8 mm: SCC, and large enough for surgery.
CRUST = Case(PERSON, PROFILE, Lesion("ragged", "red", "crusted", "opaque", 7), look=CODES.index("SCC"))
RIGHT = ("diagnose_SCC", "treat_surgery")


def treatment_by_hand(code: str, diameters: tuple[float, float], itch: bool, bleed: bool) -> str:
    if code in ("BCC", "SCC"):
        return "surgery" if diameters[0] >= 5 or diameters[1] >= 5 else "cryotherapy"
    if code == "SEK":
        return "cryotherapy" if itch or bleed else "no_treatment"
    return {"MEL": "surgery", "ACK": "cryotherapy", "NEV": "no_treatment"}[code]


def test_treatments_are_those_worked_out_by_hand_and_diagnoses_come_in_the_mix_that_was_given():
    for code, size, itch, bleed in itertools.product(CODES, range(2, 19), (False, True), (False, True)):
        signs = {"itch": "yes" if itch else "no", "bleed": "yes" if bleed else "no"}
        assert right_treatment(STANDARD, code, size, signs) == treatment_by_hand(code, (size, 2), itch, bleed)
    assert right_treatment(STANDARD, "BCC", None, {}) is None
    assert right_treatment(STANDARD, "SEK", 8, {"itch": "no"}) is None
    assert right_treatment(STANDARD, "SEK", None, {"itch": "unknown", "bleed": "yes"}) == "cryotherapy"
    assert right_treatment(STANDARD, "MEL", None, {}) == "surgery"
    game, rng = ROOMS.game(), np.random.default_rng(2)
    found = Counter(game.start(rng).device.code for _ in range(5_000))
    for code, share in {"BCC": 40, "ACK": 20, "SEK": 15, "NEV": 13, "SCC": 10, "MEL": 2}.items():
        assert found[code] / 50 == pytest.approx(share, abs=2)


def test_no_two_diagnoses_share_a_look_and_shuffled_manuals_turn_knowledge_into_guessing():
    rng = np.random.default_rng(0)
    for book in (STANDARD, *(manual.shuffled(rng) for _ in range(100))):
        for values in itertools.product(*LOOKS.values()):
            assert len(matching(book, dict(zip(LOOKS, values, strict=True)))) <= 1
        assert sorted(book.codes) == sorted(CODES)
    rng = np.random.default_rng(1)
    books = [manual.shuffled(rng) for _ in range(300)]
    assert len(set(books)) == 300
    kinds = Counter((bool(rule.mm), bool(rule.signs)) for book in books for rule in book.treatments)
    assert kinds == {(True, False): 600, (False, True): 300, (False, False): 900}
    assert all(rule.yes != rule.no for book in books for rule in book.treatments)
    seen = seen_of(CRUST.lesion, PROFILE)
    assert set(Counter(book.codes[rows[0]] for book in books if (rows := matching(book, seen)))) == set(CODES)


@pytest.mark.parametrize("book", ["standard", "shuffled"])
def test_every_case_looks_like_its_diagnosis_and_no_other(book):
    game = ROOMS.game(manual=book)
    for seed in range(300):
        case = game.start(np.random.default_rng(seed)).device
        assert matching(case.manual, seen_of(case.lesion, case.profile)) == [case.look]
        assert case.profile.diameters[0] >= case.profile.diameters[1] >= 2
        assert 2024 - int(case.person.born[-4:]) == case.profile.age


def test_the_diagnosis_is_half_the_treatment_all_and_anything_else_a_mistake():
    live = live_at(ROOMS, CRUST)
    assert do(live, RIGHT[0]).totals == [0.5, 0.5]
    assert do(live, RIGHT[1]).totals == [1.0, 1.0]
    assert live.movers == ()
    assert say(live_at(ROOMS, CRUST), "\n".join(RIGHT)).totals == [1.0, 1.0]
    for done, action, said in [
        ((), "diagnose_BCC", "diagnose_BCC: that was a mistake."),
        ((), "treat_surgery", "treat_surgery: the diagnosis comes first; that was a mistake."),
        (("diagnose_SCC",), "treat_cryotherapy", "treat_cryotherapy: that was a mistake."),
        (("diagnose_SCC",), "diagnose_SCC", "diagnose_SCC: the diagnosis is made already; that was a mistake."),
    ]:
        live = do(live_at(ROOMS, CRUST), *done)
        score = live.totals[SOLVER]
        do(live, action)
        assert live.state.mistakes == 1 and live.totals == [score, score]
        assert said in ROOMS.words.history(live.view(SOLVER))
    signs = ("no",) * 6
    case = Case(
        PERSON, PROFILE._replace(signs=signs), Lesion("smooth", "brown", "waxy", "opaque", 7), look=CODES.index("SEK")
    )
    for rules, treatment in (("paper", "treat_no_treatment"), ("released", "treat_cryotherapy")):
        live = do(live_at(ROOMS, case, rules=rules), "diagnose_SEK", treatment)
        assert live.totals == [1.0, 1.0] and live.state.mistakes == 0


def test_private_fields_never_reach_the_expert_and_what_a_small_picture_cannot_show_is_said():
    live = live_at(ROOMS, CRUST)
    for size in (64, 256, 319, 320, 512):
        text = mmgames.parallel_env(ROOMS.spec.id, size=size).observer.observe(live.view(SOLVER))["text"]
        assert ("Itch: yes" in text and PERSON.name in text) == (size < 320)
    assert PERSON.name not in mmgames.parallel_env(ROOMS.spec.id, size=64).observer.observe(live.view(EXPERT))["text"]
    assert set(ROOMS.game().private(CRUST)) == {"name", "address", "birth date", "insurance number"}
    told = observation(say(live_at(ROOMS, CRUST), "Hi."), EXPERT)["text"]
    assert not any(fact in told for fact in PERSON)


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_a_manual_imagined_by_the_solver_explains_all_that_happened(rules):
    options = {"manual": "shuffled", "rules": rules}
    game, rng, results = ROOMS.game(**options), np.random.default_rng(3), 0
    for seed in range(40):
        start = None
        for state in states(ROOMS, seed, **options):
            start = start or state.device
            other = game.imagine(state, SOLVER, rng).device
            assert matching(other.manual, seen_of(other.lesion, other.profile)) == [other.look]
            again = start._replace(manual=other.manual, look=other.look)
            for result in (result for entry in state.dialogue for result in entry.results):
                again, mistake, note = game.do(again, result.action, rng)
                assert (mistake, note) == (result.mistake, result.note)
                results += 1
    assert results > 150


@pytest.mark.parametrize("size", [64, 128, 512])
def test_every_look_shows_in_the_picture(size):
    def picture(lesion: Lesion) -> np.ndarray:
        return ROOMS.picture.draw(live_at(ROOMS, CRUST._replace(lesion=lesion)).view(SOLVER), size).astype(int)

    base = Lesion("smooth", "brown", "none", "opaque", 3)
    plain = picture(base)
    for what, values in LOOKS.items():
        for value in values if what != "size" else ():
            changed = np.abs(picture(base._replace(**{what: value})) - plain).max(axis=2) > 12
            assert (changed.mean() > 0.01) == (getattr(base, what) != value)


@pytest.mark.parametrize("skin", range(1, 7))
@pytest.mark.parametrize("colour", LOOKS["colour"])
def test_a_lesion_stands_out_from_every_skin_and_has_its_size_by_the_ruler(skin, colour):
    side, diameters = 240, (10, 6)
    picture = lesions.draw(Lesion("smooth", colour, "none", "opaque", 5), diameters, False, skin, side).astype(int)
    apart = np.abs(picture - np.array(lesions.SKINS[skin - 1])).sum(axis=2) > 60
    rows, columns = np.nonzero(apart)
    millimetre = side / (diameters[0] * lesions.SHARE)
    # It may be tilted a little, which makes it somewhat shorter and higher.
    assert np.ptp(columns) / millimetre == pytest.approx(10, abs=1.2)
    assert np.ptp(rows) / millimetre == pytest.approx(6, abs=1.6)


def test_colours_are_far_apart_and_the_profile_and_each_step_show_in_the_picture():
    means = {}
    for colour in LOOKS["colour"]:
        picture = lesions.draw(Lesion("smooth", colour, "none", "opaque", 5), (10, 10), False, 2, 200)
        means[colour] = picture[70:102, 84:116].reshape(-1, 3).astype(float)
    for one, other in itertools.combinations(("pink", "red", "brown"), 2):
        assert np.abs(means[one].mean(0) - means[other].mean(0)).sum() > 100
    assert means["mixed"].std(0).sum() > 3 * means["brown"].std(0).sum()

    shown = [CRUST, CRUST._replace(diagnosed=True), CRUST._replace(diagnosed=True, treated=True)]
    changes = {"age": 65, "sex": "male", "skin": 3, "region": "arm", "diameters": (8, 5)}
    shown += [CRUST._replace(profile=PROFILE._replace(**{field: value})) for field, value in changes.items()]
    for at in range(len(SIGNS)):
        other = tuple("unknown" if i == at else sign for i, sign in enumerate(PROFILE.signs))
        shown.append(CRUST._replace(profile=PROFILE._replace(signs=other)))
    shown += [CRUST._replace(person=PERSON._replace(**{field: "X 1"})) for field in PrivateDetails._fields]
    assert looks(ROOMS, shown, sizes=[512]) == len(shown)


def test_the_solver_reads_nothing_into_plain_advice_and_the_expert_keeps_what_was_told():
    assert misread(ROOMS, advised) == []
    assert misanswered(ROOMS, Expert(), CRUST) == []
    seen, signs, diameter = signs_in(["red and ragged, itching: yes. 3 mm", "it is brown; no itching; 7 by 2 mm"])
    assert (seen, signs, diameter) == ({"border": "ragged", "colour": "brown", "size": "large"}, {"itch": "no"}, 7)


def folder(path: Path, *rows: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> str:
    """A little copy of PAD-UFES-20: one picture in a subfolder for each row that names one, some columns not used."""
    pictures = path / "imgs_part_1" / "imgs_part_1"
    pictures.mkdir(parents=True)
    usual = dict(age="55", gender="FEMALE", fitspatrick="3.0", region="ARM", diameter_1="6.0", diameter_2="5.0")
    usual |= dict(bleed="True", itch="False", grew="UNK", hurt="False", changed="True", elevation="True")
    with open(path / "metadata.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["patient_id", "smoke", *columns], extrasaction="ignore", restval="")
        writer.writeheader()
        for number, row in enumerate(rows):
            writer.writerow({"patient_id": f"PAT_{number}", **usual, **row})
            name = row.get("img_id", "")
            if name.startswith("PAT"):
                Image.new("RGB", (40 + number, 60), (200, 40 * number % 256, 90)).save(pictures / name)
    return str(path)


ROWS = [{"img_id": f"PAT_{number}_1_2.png", "diagnostic": code} for number, code in enumerate(CODES)]


def start(**options) -> LiveGame:
    live = LiveGame(ROOMS, ROOMS.game(**options))
    live.start(np.random.default_rng(0))
    return live


@pytest.mark.parametrize("book", ["standard", "shuffled"])
def test_photographs_of_a_local_copy_are_shown_with_their_profiles(tmp_path, book):
    photos = folder(tmp_path, *ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game = ROOMS.game(photos=photos, manual=book)
    seen = set()
    for seed in range(40):
        case = game.start(np.random.default_rng(seed)).device
        seen.add(Path(case.photo).name)
        view = game.view(live_at(ROOMS, case, photos=photos).state, SOLVER)
        assert case.profile == Profile(55, "female", 3, "arm", (6.0, 5.0), ("no", "yes", "unknown", "no", "yes", "yes"))
        drawn = ROOMS.picture.draw(view, 512)[120:300, 60:200]
        assert (drawn == (200, 40 * CODES.index(CODES[case.look]) % 256, 90)).all(axis=-1).any()
        assert case.code == case.manual.codes[case.look] and "photograph" in ROOMS.words.describe(view)
        live = do(
            live_at(ROOMS, case, photos=photos, manual=book),
            f"diagnose_{case.code}",
            f"treat_{game.right_treatment(case)}",
        )
        assert live.totals == [1.0, 1.0]
    assert seen == {row["img_id"] for row in ROWS}


def test_a_broken_picture_is_named_and_the_scripted_solver_does_what_it_can_with_others(tmp_path):
    live = converse(start(photos=folder(tmp_path / "whole", *ROWS)), Solver(), Expert())
    assert "cannot put it into words" in live.state.dialogue[0].message.speech
    assert live.game.events(live.state)["actions"] > 0
    photos, pictures = folder(tmp_path / "torn", *ROWS), tmp_path / "torn" / "imgs_part_1" / "imgs_part_1"
    for row in ROWS[1:]:
        (pictures / row["img_id"]).write_bytes(b"\x89PNG no picture")
    game = ROOMS.game(photos=photos)
    with pytest.warns(UserWarning, match=r"PAT_\d_1_2.png' is no picture that can be read; it is left out"):
        cases = [game.start(np.random.default_rng(seed)).device for seed in range(20)]
    assert {case.code for case in cases} == {"BCC"}
    (pictures / ROWS[0]["img_id"]).unlink()
    with pytest.warns(UserWarning), pytest.raises(MmgamesError, match=r"no picture below .* can be read"):
        ROOMS.game(photos=photos).start(np.random.default_rng(0))


def test_rows_that_cannot_be_used_are_left_out_and_counted(tmp_path):
    rows = [
        ROWS[4],
        {"img_id": "gone.png", "diagnostic": "NEV"},
        {"img_id": "PAT_8.png", "diagnostic": "???"},
        {"img_id": "PAT_9.png", "diagnostic": ""},
        {"img_id": "", "diagnostic": "MEL"},
    ]
    with pytest.warns(UserWarning) as told:
        live = start(photos=folder(tmp_path, *rows))
    (warning,) = [str(one.message) for one in told]
    assert "4 of 5 rows" in warning and "2 have no diagnosis of the game" in warning
    assert "2 name a picture that is not there (gone.png, (no name))" in warning
    assert live.state.device.code == "NEV"


def test_a_case_whose_treatment_is_open_is_left_out(tmp_path):
    rows = [
        {"img_id": "PAT_1.png", "diagnostic": "BCC", "diameter_1": "", "diameter_2": "nan"},
        {"img_id": "PAT_2.png", "diagnostic": "SEK", "itch": "UNK", "bleed": "False"},
        {"img_id": "PAT_3.png", "diagnostic": "bod", "diameter_1": "inf", "diameter_2": "2.5"},
    ]
    with pytest.warns(UserWarning, match="2 of 3 photographs are left out: the diameter or a sign"):
        live = start(photos=folder(tmp_path, *rows))
    # Bowen's disease counts as SCC, and what is no size is nobody's diameter.
    assert (live.state.device.code, live.game.right_treatment(live.state.device)) == ("SCC", "cryotherapy")


def test_a_folder_or_table_that_is_missing_broken_or_something_else_is_said(tmp_path):
    for held, sentence in (
        (None, r"metadata.csv' cannot be read"),
        (b"\xff\xfe\x00\x01", r"metadata.csv' cannot be read"),
        (b"img_id,diagnostic\nPAT_1.png,NEV\n", "lacks age, gender, fitspatrick, region"),
        (",".join(COLUMNS).encode() + b"\n", r"no row of .* can be used \(it has no rows\)"),
    ):
        if held is not None:
            (tmp_path / "metadata.csv").write_bytes(held)
        refused(lambda: ROOMS.game(photos=str(tmp_path)), sentence)
    for given, sentence in [("nowhere", "'nowhere' is no folder"), (7, 'neither "drawn" nor the path')]:
        refused(lambda given=given: ROOMS.game(photos=given), sentence)


def test_short_rows_and_odd_values_do_no_harm(tmp_path):
    photos = folder(tmp_path, ROWS[4])
    with open(tmp_path / "metadata.csv", "a", encoding="utf-8") as file:
        file.write("PAT_9\n\n,,PAT_4_1_2.png,NEV,abc,X,99,UNK,-3,1e9,,,,,,\n")
    with pytest.warns(UserWarning, match="1 of 3 rows"):
        game = ROOMS.game(photos=photos)
    profiles = {game.start(np.random.default_rng(seed)).device.profile for seed in range(20)}
    assert Profile(None, None, None, None, (), ("unknown",) * 6) in profiles


def test_a_photograph_that_nobody_measured_has_no_diameter_and_a_start_needs_two(tmp_path):
    rows = [{"img_id": "PAT_1.png", "diagnostic": "NEV", "diameter_1": "0.0", "diameter_2": "0.0"}]
    assert start(photos=folder(tmp_path, *rows)).state.device.profile.diameters == ()
    game = ROOMS.game()
    facts = game.start_facts(game.instance(0))
    for diameters in ([0, 0], [5, 0], [2, 5]):
        with pytest.raises(ValueError, match="above 0 mm, the larger first"):
            game.device_from({**facts, "profile": {**facts["profile"], "diameters": diameters}})
