"""The opposed check at one message: the other player's answer, consent, resisting, the roll."""

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Noted, Outcome
from bot.rules.kernel.gathering import SharedResult
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.module_files import RpjSettings
from bot.rules.rpj.teamwork.assisting import note_assisted
from bot.rules.rpj.teamwork.opposing import Opposed, result_of_opposed
from tests.rules.gathering import Together, leaves, opened
from tests.rules.rpj.people import known, module_with, sheet
from tests.rules.rpj.table import GameTable, breaks, d6, rpj_table


@pytest.fixture
def table() -> GameTable:
    return rpj_table()


def pocket(table: GameTable, who: str = "Laeniel", target: str = "Ug") -> Together:
    """Somebody picks somebody's pocket."""
    outcome = table.do(who, "opposed", skill="Concealment", target=target, deed="picks a pocket")
    return opened(table, outcome)


GAMBLER = sheet("CHA 6", skills=[known("games", 2, linked="CHA")])
GUEST = sheet("CHA 3")
SULKER = sheet("CHA -1 INT -1")
ANY_LEVEL = RpjSettings(module="own").with_module(module_with(attributes={"lowest": -3}))


def play_games(own: RpjSheet, theirs: RpjSheet, fall: str, against: str = "") -> Outcome:
    """Ug plays a game with the Ogre."""
    table = rpj_table(ANY_LEVEL, {"Ug": own})
    table.change("Ogre", **theirs.model_dump())
    return table.do("Ug", "opposed", d6(fall), skill="Games", target="Ogre", against=against)


@pytest.mark.rule("RPJ-SKILL-16", "RPJ-DICE-11")
class TestOpposedNumbers:
    @pytest.mark.parametrize(
        ("own", "theirs", "against", "total"),
        [
            (GAMBLER, GUEST, "8+", 11),
            (GUEST, GAMBLER, "11+", 8),
            (GAMBLER, GAMBLER, "11+", 11),
            (GAMBLER, SULKER, "6+", 11),
        ],
        ids=["4 against 1", "1 against 4", "equal levels", "4 against -1"],
    )
    def test_only_the_acting_side_rolls_against_the_opponents_effective_level(
        self, own: RpjSheet, theirs: RpjSheet, against: str, total: int
    ) -> None:
        (roll,) = play_games(own, theirs, "3 4").rolls

        assert (roll.against, roll.total) == (against, total)

    def test_the_acting_side_wins_ties(self) -> None:
        assert play_games(GAMBLER, GAMBLER, "3 4").passed is True
        assert play_games(GAMBLER, GAMBLER, "3 3").passed is False

    def test_the_opponents_circumstances_change_the_target_number(self) -> None:
        assert play_games(GAMBLER, GUEST, "3 4", against="-2 drunk").rolls[0].against == "6+"


@pytest.mark.rule("RPJ-SKILL-16")
class TestAgainstNpcs:
    def test_an_opposed_check_against_a_level_uses_the_level_as_difficulty(self, table: GameTable) -> None:
        done = table.do("Ug", "opposed", d6("4 3"), skill="Intimidate", level=4)

        assert (done.rolls[0].against, done.gathering) == ("11+", "")
        assert done.headline.startswith("checks Intimidate against level 4")

    def test_an_npc_opposes_with_the_same_skill_or_one_the_gm_names(self, table: GameTable) -> None:
        same = table.do("Laeniel", "opposed", d6("1 3"), skill="Concealment", target="Ogre")
        other = table.do(
            "Laeniel",
            "opposed",
            d6("1 3"),
            skill="Concealment",
            target="Ogre",
            their_skill="Perception",
            against="+2 dark",
        )

        assert "against Ogre (Concealment " in same.headline
        assert "against Ogre (Perception " in other.headline
        assert other.gathering == ""

    def test_the_roller_wins_a_tie_against_a_level(self, table: GameTable) -> None:
        done = table.do("Ug", "opposed", d6("4 3"), skill="Intimidate", level=0)
        tie = table.do("Ug", "opposed", d6("4 3"), skill="Intimidate", level=table_level(done))

        assert "against level 0" in done.headline
        assert tie.passed is True
        assert tie.rolls[0].total == int(tie.rolls[0].against.removesuffix("+"))

    def test_an_opposed_check_needs_either_an_opponent_or_a_level(self, table: GameTable) -> None:
        for options in ({}, {"target": "Ogre", "level": 3}):
            refused = table.refused("Ug", "opposed", skill="Intimidate", **options)
            assert refused.what == "Who is the opponent?"
            assert refused.allowed == "Give either a target or a level, not both."
        assert table.refused("Ug", "opposed", skill="Intimidate", target="Ug")
        assert table.refused("Ug", "opposed", skill="Intimidate", level=2, difficulty="3")


def table_level(done: object) -> int:
    """The level against which the same dice come to a tie."""
    roll = done.rolls[0]  # type: ignore[attr-defined]  # an outcome
    return int(roll.total) - 7


def result(asked: Together) -> SharedResult | None:
    kept = asked.table.scene.document(asked.key)
    assert isinstance(kept, Opposed)
    return result_of_opposed(kept, asked.table.scene)


TALK = "This is between players' characters: talk it through first."


@pytest.mark.rule("RPJ-SKILL-16", "RPJ-SKILL-17")
class TestAgainstAPlayer:
    def test_an_opposed_check_against_a_player_asks_the_player_and_the_gm_first(
        self, table: GameTable
    ) -> None:
        asked = pocket(table)

        assert asked.labels == [
            "Ug: agree and oppose with …",
            "Ug: refuse …",
            "Ug: resist · Lucky Breaks 2 → 1",
            "Agree (GM)",
            "Refuse … (GM)",
        ]
        assert asked.view().lines == (TALK, "Waiting for Ug's player and the GM.")
        assert table.refused("Laeniel", "roll_opposed", at=asked.key).what == (
            "Still waiting for the target's player and the GM to agree."
        )

    def test_the_opposing_player_chooses_a_skill_and_sees_each_chance(self, table: GameTable) -> None:
        menu = pocket(table).button("Ug: agree")

        assert menu.choices[0].label.startswith("Concealment ")
        assert menu.choices[1].label.startswith("Blunt Weapons ")
        assert all(" needs " in choice.note and choice.note.endswith("%") for choice in menu.choices)

    def test_the_acting_player_rolls_once_the_other_player_and_the_gm_agree(self, table: GameTable) -> None:
        asked = pocket(table)
        asked.press("GM", "Agree (GM)")
        assert "Agree (GM)" not in asked.labels
        assert asked.view().lines == (TALK, "Waiting for Ug's player.")

        asked.press("Ug", "Ug: agree", choose="intimidate")

        (label,) = asked.labels
        assert label.startswith("Laeniel: roll against ")
        done = asked.press("Laeniel", "Laeniel: roll", d6("6 5"))
        assert "against Ug (Intimidate " in done.headline
        assert (asked.labels, asked.view().verdict) == ([], done.verdict)

    @pytest.mark.rule("RPJ-COUNT-10")
    @pytest.mark.parametrize(
        ("who", "target", "fall", "passed"),
        [
            ("Laeniel", "Ug", "1 2", True),
            ("Ug", "Laeniel", "1 2", False),
            ("Ug", "Laeniel", "6 6", None),
        ],
        ids=["6 against 0", "0 against 6", "a critical the GM has not decided"],
    )
    def test_an_opposed_check_counts_for_the_acting_side_once_it_is_decided(
        self, table: GameTable, who: str, target: str, fall: str, passed: bool | None
    ) -> None:
        asked = pocket(table, who, target)
        asked.press("GM", "Agree (GM)")
        asked.press(target, f"{target}: agree", choose="concealment")
        before = result(asked)

        asked.press(who, f"{who}: roll", d6(fall))

        counted = SharedResult(passed=bool(passed), by=table.ids[who], skill="Concealment")
        assert before is None
        assert result(asked) == (None if passed is None else counted)

    def test_the_opposing_player_may_refuse_with_a_reason_or_an_alternative(self, table: GameTable) -> None:
        asked = pocket(table)
        assert asked.button("Ug: refuse").blanks
        assert table.refused("Ug", "refuse_opposed", at=asked.key, reason=" ")

        asked.press("Ug", "Ug: refuse", reason="We are friends.", instead="Ask me.")

        assert (asked.verdict, asked.labels) == ("not agreed", [])
        assert asked.view().lines == ("We are friends. Instead: Ask me.",)
        assert table.refused("GM", "approve_opposed", at=asked.key).what == "This has already been settled."

    @pytest.mark.rule("RPJ-LUCK-07")
    def test_a_lucky_break_resists_an_opposed_check_without_a_roll(self, table: GameTable) -> None:
        asked = pocket(table)

        asked.press("Ug", "Ug: resist")

        assert (asked.verdict, breaks(table, "Ug")) == ("resisted: no effect", 1)
        assert asked.view().lines == ("Ug: Lucky Breaks 2 → 1",)
        assert asked.labels == []

    @pytest.mark.rule("RPJ-LUCK-07")
    def test_a_player_without_lucky_breaks_has_no_resist_button(self, table: GameTable) -> None:
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        assert not any("resist" in label for label in pocket(table).labels)

    def test_an_npc_acting_against_a_player_needs_only_the_players_choice_of_skill(
        self, table: GameTable
    ) -> None:
        asked = pocket(table, "GM Ogre", "Laeniel")
        assert asked.labels == ["Laeniel: agree and oppose with …"]

        asked.press("Laeniel", "Laeniel: agree", choose="concealment")

        assert asked.labels[0].startswith("Ogre: roll against ")

    def test_an_opposed_check_cannot_be_rolled_before_the_opposing_skill_is_chosen(
        self, table: GameTable
    ) -> None:
        asked = pocket(table, "GM Ogre", "Laeniel")

        refused = table.refused("GM Ogre", "roll_opposed", at=asked.key)

        assert refused.what == "The other side hasn't chosen a skill yet."

    def test_once_the_opposing_player_agrees_only_the_gm_is_asked(self, table: GameTable) -> None:
        asked = pocket(table)

        asked.press("Ug", "Ug: agree", choose="intimidate")

        assert asked.labels == ["Agree (GM)", "Refuse … (GM)"]
        assert asked.view().lines[-1] == "Waiting for the GM."


def asked(table: GameTable) -> Together:
    return opened(table, table.do("Ug", "assisted", skill="Crafting", difficulty="5", helper="Laeniel"))


def pick_a_pocket(table: GameTable) -> Together:
    return opened(table, table.do("Laeniel", "opposed", skill="Concealment", target="Ug"))


def group(table: GameTable) -> Together:
    options = {"members": ("Laeniel", "Ug"), "leader": "Laeniel"}
    return opened(table, table.do("GM", "group", skill="Athleticism", difficulty="2", **options))


def test_a_check_can_be_rolled_alone_when_its_helper_has_left(table: GameTable) -> None:
    check = asked(table)
    leaves(table, "Laeniel")

    assert [label.split(" against")[0] for label in check.labels] == ["Ug: roll alone"]


def test_an_assisted_check_is_called_off_when_its_main_character_leaves(table: GameTable) -> None:
    check = asked(table)
    leaves(table, "Ug")

    assert (check.verdict, check.labels) == ("called off", [])


def test_an_opposed_check_is_called_off_when_a_side_leaves(table: GameTable) -> None:
    check = pick_a_pocket(table)
    leaves(table, "Ug")

    assert (check.verdict, check.labels) == ("called off", [])


def test_a_group_check_goes_on_without_a_member_who_has_left(table: GameTable) -> None:
    check = group(table)
    leaves(table, "Ug")
    assert [label.split(":")[0] for label in check.labels] == ["Laeniel (leads)", "Close (GM)"]

    check.press("Laeniel", "Laeniel", d6("6 5"))

    assert check.verdict == "the group succeeds"


def test_a_character_who_has_left_is_shown_as_someone_in_a_flashback(table: GameTable) -> None:
    flashback = opened(table, table.do("Laeniel", "flashback", words="hid a rope"))
    flashback.press("Ug", "Join")
    leaves(table, "Ug")

    assert flashback.view().lines[0] == "With someone."


def test_pressing_a_button_of_a_finished_check_is_refused(table: GameTable) -> None:
    refused = table.refused("Laeniel", "assist", at="assisted/gone", how="easy")

    assert refused.what == "This is over."


def test_a_hidden_npc_cannot_be_named_in_a_public_check(table: GameTable) -> None:
    hidden = replace(table.named("Ogre"), is_hidden=True)
    table.scene = table.scene.with_character(hidden)

    for who, procedure, options in (
        ("Ug", "assisted", {"helper": "Ogre", "difficulty": "3", "skill": "Crafting"}),
        ("GM", "group", {"members": ("Ug", "Ogre"), "skill": "Athleticism"}),
        ("GM Ogre", "opposed", {"target": "Ug", "skill": "Concealment"}),
    ):
        refused = table.refused(who, procedure, **options)
        assert refused.what == "The players don't know about Ogre yet."


def test_an_unrelated_roll_does_not_count_as_assistance(table: GameTable) -> None:
    check = asked(table)
    kept = table.scene.document(check.key)
    assert kept is not None
    roll = table.do("Laeniel", "check", d6("4 4"), skill="Crafting")
    noted = Noted(scene=roll.scene, outcome=roll, actor=table.ids["Laeniel"])

    assert note_assisted(kept, noted) == kept  # type: ignore[arg-type]  # it is an assisted check

    check.press("Laeniel", "Laeniel: help, easy", d6("4 4"))
    helped = table.scene.document(check.key)
    looked = replace(noted, outcome=replace(roll, rolls=(), verdict=None))
    assert note_assisted(helped, looked) == helped  # type: ignore[arg-type]  # the same


def test_a_complication_afterwards_leaves_an_assisted_checks_result_unchanged(table: GameTable) -> None:
    check = asked(table)
    exact = check.press("Ug", "Ug: roll alone", d6("6 6"))
    verdict = check.verdict
    assert exact.passed is True

    offered = opened(table, table.do("Ug", "assisted", skill="Crafting", difficulty="1"))
    done = offered.press("Ug", "Ug: roll alone", d6("5 3"))
    complicate = [one for one in done.follow_ups if one.procedure == "complicate"]

    assert verdict is not None
    assert done.verdict is not None
    assert offered.verdict == done.verdict.title
    assert complicate
    for one in complicate[:1]:
        offered.follow("GM", one, "d6:1 d6:1")
        assert offered.verdict == done.verdict.title
