"""What surrounds checks at the table: proposals, details, tables, choices, difficulties."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, Family, Verdict
from bot.rules.rpj import RULESET
from bot.rules.rpj.combat.combatant import MookSheet
from bot.rules.rpj.game_parts.rpj_gm import covers, regions
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module_files import RpjSettings, Shipped, module_in
from tests.rules.rpj.combat.played.brawl import brawl, shootout
from tests.rules.rpj.people import FANTASY, module_with
from tests.rules.rpj.table import GameTable, d6, labels, others, rpj_table
from tests.rules.rpj.test_casting import UG as CAVE_MAGE
from tests.rules.rpj.test_wild_magic import FLORA


@pytest.mark.rule("RPJ-SKILL-08")
class TestProposingASkill:
    def test_the_gm_decides_how_well_a_proposed_skill_fits(self) -> None:
        table = rpj_table()
        asked = table.do("Ug", "propose", skill="Intimidate", how="stare the dog down", difficulty="2")
        assert asked.headline == "proposes Intimidate: stare the dog down"
        assert labels(asked) == [
            "It fits · 83% (GM)",
            "Imperfect, −1 · 72% (GM)",
            "Poor, −2 · 58% (GM)",
            "Use another skill (GM)",
        ]
        assert {button.audience for button in asked.follow_ups} == {Audience.GM}

        poor = table.press("GM Ug", asked.follow_ups[2])

        assert poor.headline == "can check Intimidate: poor fit"
        assert labels(poor) == ["Roll Intimidate against 9+ · 58%"]
        rolled = table.press("Ug", poor.follow_ups[0], d6("4 3"))
        assert (rolled.rolls[0].total, rolled.rolls[0].against) == (9, "9+")

    def test_the_gm_may_name_another_skill_instead_of_the_proposed_one(self) -> None:
        table = rpj_table()
        asked = table.do("Ug", "propose", skill="Intimidate", how="calm the dog", difficulty="2")
        named = [(one.label, one.note) for one in asked.follow_ups[3].choices]
        assert named[:2] == [("Blunt Weapons", "level 6"), ("Armorcrafting", "level 1")]
        assert len(named) == 23
        assert "Intimidate" not in dict(named)

        refused = table.press("GM Ug", asked.follow_ups[3], choose="diplomacy")

        assert refused.headline == "can't use Intimidate for that"
        assert refused.notes == ("Instead: Diplomacy.",)
        assert labels(refused) == ["Roll Diplomacy against 9+ · 28%"]


@pytest.mark.rule("RPJ-ATTR-07")
class TestLuckDetail:
    def test_the_gm_sees_the_conditions_for_a_luck_detail_before_the_roll(self) -> None:
        asked = rpj_table().do("Ug", "detail", question="a carved fragment survives")

        assert asked.headline == "asks Luck about a detail: a carved fragment survives"
        assert asked.notes == (
            "It must be open: nobody has said anything about it yet.",
            "It must not add anything new to the scene.",
            "It must not contradict anything done, said or described.",
        )
        assert labels(asked) == ["Let Luck decide (GM)", "Luck does not decide (GM)"]

    def test_the_player_rolls_the_luck_bonus_against_8_for_a_detail(self) -> None:
        table = rpj_table()
        asked = table.do("Ug", "detail", question="a carved fragment survives")
        allowed = table.press("GM Ug", asked.follow_ups[0])
        assert labels(allowed) == ["Roll the Luck bonus against 8+ · 58%"]
        assert [button.audience for button in allowed.follow_ups] == [Audience.OWNER]

        rolled = table.press("Ug", allowed.follow_ups[0], d6("4 3"))

        assert (rolled.rolls[0].total, rolled.rolls[0].against) == (8, "8+")
        assert rolled.verdict == Verdict(Family.SUCCESS, "success, 0 degrees")

    def test_a_failed_luck_detail_cannot_be_retried(self) -> None:
        table = rpj_table()
        asked = table.do("Ug", "detail", question="a carved fragment survives")
        allowed = table.press("GM Ug", asked.follow_ups[0])

        assert others(table.press("Ug", allowed.follow_ups[0], d6("1 3"))) == []

    def test_the_gm_can_deny_a_luck_detail_with_a_reason(self) -> None:
        table = rpj_table()
        asked = table.do("Ug", "detail", question="the statue gives cover")

        denied = table.do(
            "GM Ug",
            "deny_detail",
            question="the statue gives cover",
            character="Ug",
            reason="You said you keep away from it.",
        )

        assert [blank.prompt for blank in asked.follow_ups[1].blanks] == [
            "What is there instead, or why not?"
        ]
        assert denied.notes == ("You said you keep away from it.",)

    @pytest.mark.parametrize(
        ("count", "number", "told"),
        [
            (1, "the first detail", "once"),
            (2, "detail number 2", "2 times"),
            (3, "detail number 3", "3 times"),
        ],
    )
    def test_luck_details_are_counted_for_each_session(self, count: int, number: str, told: str) -> None:
        table = rpj_table()
        for _ in range(count):
            asked = table.do("GM", "detail", question="it rains", target="Ug")
            allowed = table.press("GM Ug", asked.follow_ups[0])
        assert allowed.notes == (f"It is {number} Luck decides this session.",)

        turning = RULESET.end_session(table.scene, list(table.ids.values()), ["luck_details/session"])

        assert turning.notes[0] == f"Luck decided a detail {told}."
        assert turning.scene.document("luck_details/session") is None

    def test_a_player_cannot_ask_for_a_luck_detail_for_another_character(self) -> None:
        refused = rpj_table().refused("Ug", "detail", question="it rains", target="Laeniel")

        assert refused.what == "Only the GM can choose who rolls."


class TestDecisionTables:
    @pytest.mark.rule("RPJ-DICE-06")
    def test_dice_read_from_left_to_right_point_at_a_table_row(self) -> None:
        done = rpj_table().do("GM", "table", d6("6 4"), name="complications")

        assert (done.headline, done.rolls[0].verdict.title) == ("rolls on Complications", "64, number 34")
        assert [die.shown for die in done.rolls[0].dice] == ["⚅", "⚃"]
        assert done.notes == ("An old problem finds you right now.",)

    @pytest.mark.rule("RPJ-DICE-07")
    def test_a_divided_table_is_rolled_with_three_dice(self) -> None:
        done = rpj_table().do("GM", "table", d6("3 1 5"), name="Finds")

        assert done.rolls[0].verdict.title == "315, number 77, row 10"
        assert done.notes == ("A key without its lock.",)

    @pytest.mark.rule("RPJ-DICE-08")
    def test_cards_drawn_from_a_table_stay_out_until_they_are_shuffled(self) -> None:
        table = rpj_table()

        first = table.do("GM", "table", "d52:25", name="Omens")
        second = table.do("GM", "table", "d51:25", name="Omens", pick=7)
        third = table.do("GM", "table", "d52:25", name="Omens", shuffle=True)

        titles = [done.rolls[0].verdict.title for done in (first, second, third)]
        assert titles == ["Q♥", "K♥, card 7 of the deck", "Q♥"]

    def test_a_table_row_can_lead_to_another_table(self) -> None:
        tables = FANTASY.model_dump(mode="json")["tables"]
        rows = [{"first": "1", "last": "3", "text": "Nothing."}]
        rows += [{"first": "4", "last": "6", "text": "Something.", "roll_on": "finds"}]
        module = module_with(tables=[*tables, {"id": "search", "name": "Search", "dice": 1, "rows": rows}])
        table = rpj_table(RpjSettings(module="own").with_module(module))

        assert table.do("GM", "table", d6("3"), name="search").follow_ups == ()
        found = table.do("GM", "table", d6("4"), name="search")
        assert labels(found) == ["Roll on Finds"]
        assert table.press("Ug", found.follow_ups[0], d6("3 1 5")).notes == ("A key without its lock.",)

    def test_a_missing_card_place_or_table_is_refused(self) -> None:
        table = rpj_table()
        table.do("GM", "table", "d52:25", name="Omens")

        assert table.refused("GM", "table", name="Omens", pick=52).allowed == "51 cards left."
        assert table.refused("GM", "table", name="Finds", pick=1).allowed == "Finds uses dice."
        assert table.refused("GM", "table", name="Weather").allowed == (
            "Its tables: Complications, Finds, Omens."
        )


@pytest.mark.rule("RPJ-DICE-09")
class TestRandomPick:
    def test_a_random_pick_takes_one_die_for_all_things(self) -> None:
        done = rpj_table().do("GM", "pick", "d3:2", things="left, middle, right")

        assert done.verdict == Verdict(Family.NEWS, "middle")

    def test_a_random_pick_can_halve_the_list_with_d6(self) -> None:
        done = rpj_table().do("GM", "pick", d6("1 6"), things="A | B | C", dice="halve with d6")

        assert [die.label for die in done.rolls[0].dice] == ["A to B", "B"]

    @pytest.mark.parametrize("things", [" , ", "|".join(map(str, range(101)))])
    def test_a_random_pick_from_nothing_or_too_much_is_refused(self, things: str) -> None:
        refused = rpj_table().refused("GM", "pick", things=things)

        assert refused.what == "Give 1 to 100 things to choose from."

    @pytest.mark.parametrize(("count", "told"), [(1, "1 thing"), (100, "100 things")])
    def test_a_random_pick_is_from_1_to_100_things(self, count: int, told: str) -> None:
        things = "|".join(map(str, range(1, count + 1)))

        done = rpj_table().do("GM", "pick", f"d{count}:{count}", things=things)

        assert done.headline == f"picks one of {told} at random"
        assert done.verdict == Verdict(Family.NEWS, str(count))


class TestReference:
    def test_the_ladder_command_can_use_the_characters_own_skill(self) -> None:
        done = rpj_table().do("Laeniel", "ladder", skill="Concealment")

        assert done.headline == "looks at the difficulties for Concealment +7"

    @pytest.mark.rule("RPJ-SKILL-06")
    def test_passive_levels_are_shown_to_the_gm_alone(self) -> None:
        done = rpj_table().do("GM", "passive", skill="Perception", who=("Ug", "Laeniel", "Ug"))

        assert done.notes == ("Ug −1", "Laeniel −2")
        assert not done.is_public
        assert RULESET.procedures["passive"].gm_only

    def test_the_passive_command_says_when_the_module_has_no_use_for_a_skills_passive_level(self) -> None:
        done = rpj_table().do("GM", "passive", skill="Games", who=("Ug",))

        assert done.notes == ("Ug −2", "This module doesn't use passive levels for Games.")


class TestSuggestions:
    def test_suggestions_put_the_characters_own_skills_first_and_fit_the_module(self) -> None:
        table = rpj_table()
        offered = RULESET.suggestions["skill"](table.named("Laeniel"), table.scene.settings)

        assert list(offered[:3]) == ["Concealment", "Archery", "Crafting"]
        assert "Alchemy" in offered
        generic = RULESET.suggestions["skill"](None, RpjSettings(module=Shipped.GENERIC))
        assert "Alchemy" not in generic

    @pytest.mark.parametrize("name", ["region", "cover"])
    def test_without_a_fight_no_regions_and_no_cover_are_suggested(self, name: str) -> None:
        for is_gm in (False, True):
            scene = replace(rpj_table().scene, is_gm=is_gm)
            assert list({"region": regions, "cover": covers}[name](scene)) == []

    def test_specialties_tables_and_difficulties_are_suggested(self) -> None:
        table = rpj_table()
        character, settings = table.named("Laeniel"), table.scene.settings

        assert RULESET.suggestions["specialty"](character, settings)[0] == "Wood"
        assert list(RULESET.suggestions["table"](character, settings)) == ["Complications", "Finds", "Omens"]
        assert RULESET.suggestions["difficulty"](character, settings)[2] == "Moderate · 9-10+"

    @pytest.mark.parametrize(("name", "has"), [("", ""), ("Ug", "Haggler")])
    def test_gifts_and_faults_that_can_be_taken_are_suggested(self, name: str, has: str) -> None:
        table = rpj_table()
        module = module_in(table.scene.settings)
        character = table.named(name) if name else None

        offered = RULESET.suggestions["trait"](character, table.scene.settings)

        open_to_all = [one.name for one in module.traits if not one.comes_with_class]
        assert list(offered) == [one for one in open_to_all if one != has]
        assert len(open_to_all) < len(module.traits)


@pytest.mark.rule("RPJ-SKILL-08")
@pytest.mark.rule("RPJ-SKILL-24")
class TestProposalWithoutDifficulty:
    def test_the_gm_sets_the_difficulty_of_a_proposed_skill_along_with_its_fit(self) -> None:
        table = rpj_table()
        asked = table.do("Ug", "propose", skill="Intimidate", how="stare the dog down")
        fits = asked.follow_ups[0]
        assert fits.label == "It fits (GM)"
        assert [blank.prompt for blank in fits.blanks] == ["Difficulty: a number, 10+ or a name."]

        offered = table.do("GM Ug", "fit", **{**fits.options.model_dump(), "difficulty": "Challenging"})

        assert labels(offered) == ["Roll Intimidate against 11+ · 58%"]

    def test_an_unreadable_difficulty_for_a_proposed_skill_is_refused(self) -> None:
        table = rpj_table()
        fits = table.do("Ug", "propose", skill="Intimidate", how="stare the dog down").follow_ups[0]

        refused = table.refused("GM Ug", "fit", **{**fits.options.model_dump(), "difficulty": "hardish"})

        assert refused.what == "I can't read the difficulty “hardish”."


@pytest.mark.rule("RPJ-SKILL-24", "RPJ-SKILL-25", "RPJ-SKILL-26")
def test_the_ladder_of_a_level_tells_each_name_with_its_chances() -> None:
    done = rpj_table().do("Laeniel", "ladder", level=3)

    assert (done.headline, done.is_public) == ("looks at the difficulties for level 3", False)
    assert done.notes == (
        "Trivial 6-7+ · 97% to 92%",
        "Easy 7-8+ · 92% to 83%",
        "Moderate 9-10+ · 72% to 58%",
        "Challenging 11-12+ · 42% to 28%",
        "Grueling 13-14+ · 17% to 8%",
        "Legendary 15-18+ · 3% to 0%",
        "Implausible 19+ · 0%",
        "A routine task for this level: difficulty 2 (9+).",
        "By target number: 6+ 97% · 9+ 72% · 10+ 58% · 12+ 28% · 14+ 8%",
    )


@pytest.mark.rule("RPJ-LUCK-01", "RPJ-LUCK-05", "RPJ-LUCK-06")
class TestLuckyBreaksLost:
    def test_a_way_out_costs_a_lucky_break_of_this_session_and_of_every_other(self) -> None:
        table = rpj_table()
        assert table.do("Laeniel", "breaks").headline == "has 3 of 3 Lucky Breaks left"

        offer = table.do("GM", "lose_break", target="Laeniel", reason="It bites.")
        table.press("Laeniel", offer.follow_ups[0])
        told = table.do("Laeniel", "breaks")

        assert (offer.notes, labels(offer)) == (
            ("It bites.",),
            ["Give up a Lucky Break permanently · 3 → 2 per session"],
        )
        assert (told.headline, told.notes[0]) == ("has 2 of 2 Lucky Breaks left", "1 lost permanently.")

    @pytest.mark.parametrize(
        ("lost", "count", "told", "left"),
        [
            (1, 1, "restores a lost Lucky Break to Ug", 0),
            (2, 1, "restores a lost Lucky Break to Ug", 1),
            (2, 2, "restores 2 lost Lucky Breaks to Ug", 0),
            (1, 3, "restores a lost Lucky Break to Ug", 0),
        ],
    )
    def test_no_more_are_restored_than_were_lost(self, lost: int, count: int, told: str, left: int) -> None:
        table = rpj_table()
        table.change("Ug", lucky_breaks_lost=lost)

        done = table.do("GM", "restore_break", target="Ug", count=count)

        assert (done.headline, table.named("Ug").sheet.lucky_breaks_lost) == (told, left)

    def test_nothing_lost_is_not_restored(self) -> None:
        refused = rpj_table().refused("GM", "restore_break", target="Ug", count=1)

        assert refused.what == "Ug has no permanently lost Lucky Breaks."


@pytest.mark.rule("RPJ-APPX-06", "RPJ-TRAIT-05")
@pytest.mark.parametrize(
    ("refund", "told"),
    [
        (None, "The reverse of Alert. It gives 2 character points."),
        (1, "The reverse of Alert. It gives 1 character point."),
        (3, "The reverse of Alert. It gives 3 character points."),
        (4, None),
    ],
)
def test_a_gift_turned_into_a_fault_gives_less_than_it_costs(refund: int | None, told: str | None) -> None:
    table, options = rpj_table(), {"gift": "alert", "name": "Slow"}
    more = {} if refund is None else {"refund": refund}

    if told is None:
        refused = table.refused("GM", "invert", **options, **more)
        assert (refused.what, refused.allowed) == (
            "A fault that mirrors Alert must give fewer than its 4 points.",
            "Choose 1 to 3.",
        )
    else:
        done = table.do("GM", "invert", **options, **more)
        assert (done.headline, done.notes) == ("adds a fault: Slow", (told,))


def beginners(out: Out = Out.NO) -> GameTable:
    """Fiona with fire, and Merle with stones, of no class and under many optional rules."""
    packs: dict[str, Any] = dict.fromkeys(("mass_combat", "structured_magic", "wild_magic"), True)
    table = rpj_table(players={"Fiona": FLORA, "Merle": CAVE_MAGE}, **packs)
    for name in ("Fiona", "Merle"):
        table.change(name, health=RpjHealth(out=out))
    return table


def waiting() -> GameTable:
    """A cinematic fight with goblins that has not begun."""
    table = rpj_table(cinematic_combat=True)
    table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
    table.do("GM", "fight.mooks", name="Goblin", count=2, attack=3, damage=1)
    return table


def mooks_turn() -> GameTable:
    """The goblins' turn in a fight."""
    table = brawl("Ogre")
    table.do("GM", "fight.mooks", name="Goblin", count=2, attack=3, damage=1)
    for who in ("GM", "Laeniel", "Ug"):
        table.do(who, "encounter.next")
    return table


HELPED_UP = "Someone else can help them up from their own sheet."
NOT_OUT = f"Saving throws and Luck are still possible. {HELPED_UP}"
KNOCKED_OUT, DEAD = partial(beginners, Out.KNOCKED_OUT), partial(beginners, Out.DEAD)
CINEMA = RpjSettings(module=Shipped.FANTASY, cinematic_combat=True)
ALIKE = {"own": "Us", "own_people": 50, "enemy": " us ", "enemy_people": 50}


@pytest.mark.parametrize(
    ("laid", "who", "procedure", "options", "told"),
    [
        (
            KNOCKED_OUT,
            "Fiona",
            "check",
            {"skill": "Archery"},
            f"Fiona is knocked out and can't make checks. {NOT_OUT}",
        ),
        (
            DEAD,
            "Fiona",
            "check",
            {"skill": "Archery"},
            "Fiona is dead and can't make checks. The GM can still roll for them.",
        ),
        (
            KNOCKED_OUT,
            "Fiona",
            "use_ability",
            {"ability": "Warm hands"},
            f"Fiona is knocked out and can't use abilities. {HELPED_UP}",
        ),
        (
            KNOCKED_OUT,
            "Merle",
            "cast",
            {"spell": "Pelt"},
            f"Merle is knocked out and can't cast spells. {HELPED_UP}",
        ),
        (
            beginners,
            "Fiona",
            "build",
            {"skill": "Ice magic"},
            "You have no ability skill called “Ice magic”. Your ability skills: Fire Magic.",
        ),
        (beginners, "Fiona", "fight.magic", {"aim": "go on||"}, "There is nothing to continue."),
        (
            beginners,
            "GM",
            "change_class",
            {"target": "Fiona", "skills": "Survival"},
            "Fiona has no class. Choose one.",
        ),
        (beginners, "GM", "mass.start", ALIKE, "The two sides have different names."),
        (
            waiting,
            "Laeniel",
            "fight.attack",
            {"target": "Ogre"},
            "The first round hasn't started. Start it with /encounter next.",
        ),
        (waiting, "GM", "fight.mooks", {"name": " ", "count": 2}, "Give the mooks a name."),
        (
            waiting,
            "GM",
            "fight.legend",
            {"who": "Goblin"},
            "Goblin 1 is a mook. Mooks can't be legendary foes.",
        ),
        (
            partial(brawl, settings=CINEMA, ogre={"mook": MookSheet(name="Ogre", attack=3, defense=7)}),
            "GM",
            "fight.legend",
            {"who": "Ogre"},
            "Ogre is a mook. Mooks can't be legendary foes.",
        ),
        (
            mooks_turn,
            "GM",
            "fight.mook_attack",
            {"who": "Ogre", "target": "Ug"},
            "Ogre isn't a mook. To attack with a character, open its sheet.",
        ),
        (
            shootout,
            "Laeniel",
            "fire.watch",
            {"region": " "},
            "Which region? Choose a region by name or number.",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_way_out(
    laid: Callable[[], GameTable], who: str, procedure: str, options: dict[str, Any], told: str
) -> None:
    assert " ".join(laid().refused(who, procedure, **options).sentences) == told
