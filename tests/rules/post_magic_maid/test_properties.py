"""What always holds, whatever is played."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.kernel.dice import Dice
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.encounter import MaidEncounter
from bot.rules.post_magic_maid.sheet import MaidAttribute, MaidSettings, MaidSheet
from bot.rules.post_magic_maid.tier_check import MaidCheckInputs, check_odds
from bot.rules.post_magic_maid.tiers import MaidTier
from bot.rules.post_magic_maid.wounds import CAPACITIES, Track, place_wound
from tests.rules.post_magic_maid.play import NAMES, GameTable, lay_table, sheet

ABILITY_NAMES = ("Fishing", "Riding", "Law")
LEVEL_UPS = st.one_of(
    st.tuples(st.just("single"), st.fixed_dictionaries({"ability": st.sampled_from(ABILITY_NAMES)})),
    st.tuples(
        st.just("double"),
        st.fixed_dictionaries(
            {"ability": st.sampled_from(ABILITY_NAMES), "second": st.sampled_from(ABILITY_NAMES)}
        ),
    ),
    st.tuples(st.just("passive"), st.fixed_dictionaries({"ability": st.sampled_from(("Contacts", "Law"))})),
    st.tuples(st.just("specialise"), st.fixed_dictionaries({"attribute": st.sampled_from(MaidAttribute)})),
    st.tuples(st.just("raise_die"), st.fixed_dictionaries({"attribute": st.sampled_from(MaidAttribute)})),
)
PAIR = {"first": "Int", "second": "Dex"}
MOVES = st.one_of(
    st.tuples(st.just("check"), st.just(PAIR)),
    st.tuples(st.just("check"), st.just({**PAIR, "bonus_dice": 1})),
    st.tuples(st.just("blitz"), st.just({})),
    st.tuples(st.just("give_ace"), st.fixed_dictionaries({"receiver": st.sampled_from(NAMES)})),
    st.tuples(st.just("act"), st.fixed_dictionaries({"count": st.integers(1, 4)})),
    st.tuples(st.just("encounter.next"), st.just({})),
    st.tuples(st.just("encounter.join"), st.just({})),
    st.tuples(
        st.just("joker"),
        st.fixed_dictionaries({"place": st.sampled_from(("first", "last")), "who": st.sampled_from(NAMES)}),
    ),
    st.tuples(st.just("assist"), st.sampled_from([{"target": name, **PAIR} for name in NAMES])),
    st.tuples(
        st.just("attack"),
        st.sampled_from(
            [
                {"target": name, "track": track, "defended": defended, "magic": True, **PAIR}
                for name in NAMES
                for track in ("blunt", "rending")
                for defended in (True, False)
            ]
        ),
    ),
    st.tuples(st.just("defend"), st.just({**PAIR, "magic": True})),
    st.tuples(st.just("take_hit"), st.just({})),
    st.tuples(st.just("treat"), st.sampled_from([{"target": name} for name in NAMES])),
    st.tuples(st.just("rest"), st.sampled_from([{"hours": hours} for hours in (1, 4)])),
    st.tuples(st.just("encounter.end"), st.just({})),
    st.tuples(st.just("initiative"), st.just({"opposed": True, "others": NAMES})),
)


class DrawnDice:
    """Dice whose faces Hypothesis chooses."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def roll(self, sides: int) -> int:
        return self._data.draw(st.integers(1, sides))


def play(table: GameTable, who: str, procedure: str, options: dict[str, Any], dice: Dice) -> None:
    """Do a procedure; what is not allowed changes nothing."""
    before = table.scene
    try:
        table.play(who, procedure, options, dice)
    except UserError:
        assert table.scene is before


def acting(table: GameTable) -> str:
    """Whose turn it is, or Ash."""
    encounter = table.scene.document("encounter/7")
    current = encounter.current if isinstance(encounter, MaidEncounter) else None
    return current.name if current else "Ash"


def assert_sound(table: GameTable) -> None:
    for name in NAMES:
        character = table.named(name)
        for track in Track:
            filled = character.wounds.get(track, (0, 0, 0, 0))
            assert all(0 <= n <= room for n, room in zip(filled, CAPACITIES[track], strict=True))
        rending = character.wounds.get("rending", (0, 0, 0, 0))
        assert ("heavy" in character.timers) == (rending[2] > 0)
        assert ("mortal" in character.timers) == (rending[3] > 0)
        assert all(points >= 0 for points in character.resources.values())
    encounter = table.scene.document("encounter/7")
    if isinstance(encounter, MaidEncounter):
        ids = [seat.character for seat in encounter.shown]
        assert len(set(ids)) == len(ids)
        assert encounter.turn < len(ids)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_no_sequence_of_play_overfills_a_track_or_makes_points_negative(data: st.DataObject) -> None:
    table = lay_table(sheets={name: sheet(is_magical=True) for name in NAMES})
    dice = DrawnDice(data)
    play(table, "Ash", "initiative", {"opposed": True, "others": NAMES[:3]}, dice)

    for procedure, options in data.draw(st.lists(MOVES, max_size=25)):
        who = data.draw(st.sampled_from(("whose turn it is", *NAMES)))
        if who not in NAMES:
            who = acting(table)
        player = f"GM {who}" if procedure == "encounter.end" else who
        play(table, player, procedure, options, dice)
        assert_sound(table)


@settings(deadline=None, max_examples=100)
@given(st.lists(LEVEL_UPS, max_size=40))
def test_any_sequence_of_level_ups_leaves_a_valid_sheet(advances: list[tuple[str, dict[str, Any]]]) -> None:
    table = lay_table()
    table.change("Ash", resources={"level_ups": 40})

    for procedure, options in advances:
        before = table.points("Ash", "level_ups")
        taken = len(table.named("Ash").sheet.advances)
        play(table, "GM Ash", procedure, options, DrawnNever())
        made = table.named("Ash").sheet
        assert RULESET.sheet_problems(made) == ()
        assert all(ability.bonus <= 13 for ability in made.abilities)
        assert all(score.bonus <= 5 for score in made.attributes.values())
        assert table.points("Ash", "die_points") >= 0
        assert before - table.points("Ash", "level_ups") == len(made.advances) - taken


class DrawnNever:
    """Dice that nobody may roll."""

    def roll(self, sides: int) -> int:
        raise AssertionError(f"a d{sides} was rolled")


@given(st.sampled_from(Track), st.lists(st.integers(0, 3), max_size=15))
def test_wounds_fill_every_box_before_one_is_lost(track: Track, levels: list[int]) -> None:
    filled: tuple[int, ...] = (0, 0, 0, 0)

    for level in levels:
        placed = place_wound(track, filled, level)
        if placed.level is None:
            assert filled[level:] == CAPACITIES[track][level:]
            assert placed.boxes == filled
        else:
            assert placed.level >= level
            assert sum(placed.boxes) == sum(filled) + 1
        filled = placed.boxes

    assert all(n <= room for n, room in zip(filled, CAPACITIES[track], strict=True))


@settings(deadline=None)
@given(
    st.builds(
        dict,
        first=st.sampled_from((6, 8, 12, 20, 32)),
        second=st.sampled_from((6, 8, 12, 20, 32)),
        modifier=st.integers(-50, 22),
        bonus_dice=st.integers(0, 3),
        magic=st.sampled_from(("none", "attack", "defence")),
        assist=st.one_of(st.none(), st.sampled_from(MaidTier)),
    )
)
def test_the_chances_of_every_check_add_up_to_one(asked: dict[str, Any]) -> None:
    odds = check_odds(
        MaidCheckInputs.model_validate(
            {
                "first": {"attribute": "Int", "sides": asked["first"]},
                "second": {"attribute": "Str", "sides": asked["second"]},
                "terms": [{"label": "all", "value": asked["modifier"]}],
                "bonus_dice": asked["bonus_dice"],
                "magic": asked["magic"],
                "assist": asked["assist"],
            }
        )
    )

    assert sum(chance.fraction for _, chance in odds.chances) == 1
    assert [name for name, _ in odds.chances] == list(MaidTier)


@given(
    st.builds(
        dict,
        d20=st.sampled_from(MaidAttribute),
        d12=st.sampled_from(MaidAttribute),
        d8=st.lists(st.sampled_from(MaidAttribute), max_size=3),
        bonuses=st.lists(st.sampled_from(MaidAttribute), max_size=3),
        third=st.sampled_from(MaidAttribute),
        kinds=st.lists(st.sampled_from(("single", "double", "passive", "none")), min_size=2, max_size=2),
        names=st.lists(st.sampled_from(("Fishing", "fishing", "Law", "")), min_size=4, max_size=4),
    )
)
def test_a_draft_without_problems_makes_a_valid_sheet(made: dict[str, Any]) -> None:
    one, second_one, two, second_two = made["names"]
    draft = {
        "d20": (made["d20"].value,),
        "d12": (made["d12"].value,),
        "d8": tuple(each.value for each in made["d8"]),
        "bonuses": tuple(each.value for each in made["bonuses"]),
        "third": (made["third"].value,),
        "kind_one": (made["kinds"][0],),
        "kind_two": (made["kinds"][1],),
        "name_one": (one,),
        "second_one": (second_one,),
        "name_two": (two,),
        "second_two": (second_two,),
    }

    if not RULESET.creation.problems_of(draft, MaidSettings()):
        built = RULESET.creation.build(draft, MaidSettings())
        assert isinstance(built, MaidSheet)
        assert RULESET.sheet_problems(built) == ()
        assert sum(score.creation for score in built.attributes.values()) == 3
