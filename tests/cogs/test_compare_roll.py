"""Compare Roll as it is played: commands and buttons in, replies and what is stored out."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.journalled_tables import from_text
from bot.table.gm import desk
from tests.cogs.compare_roll import (
    AGAIN,
    BURN,
    FAILED,
    JUNO,
    OTTO,
    TAKE,
    WAITS,
    fails,
    ogre_attacks,
    table_of_compare_roll,
)
from tests.cogs.played import Play, board_rows


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    """A table of Compare Roll."""
    async with table_of_compare_roll(tmp_path) as at_it:
        yield at_it


class TestOpenRoll:
    """F-SMALL-02 (CMP-HIGH-02, CMP-R27): settled by button or after the campaign's time."""

    async def test_an_open_roll_counts_by_itself_after_a_minute(self, play: Play) -> None:
        await fails(play)
        burn = play.messages[-1].controls[BURN]
        assert await play.waits(59) == []
        assert await play.points(JUNO, "stress") == 0

        (done,) = await play.waits(1)

        assert (done.result.message.who, await play.points(JUNO, "stress")) == (JUNO, 1)
        assert await play.points(JUNO, "high") == 5
        assert done.message.follow_ups == ()
        assert (await play.desk.press(play.alice, burn))[-1].text == "That has already been done."

    async def test_the_player_and_the_gm_but_no_stranger_may_settle_an_open_roll_early(
        self, play: Play
    ) -> None:
        await fails(play)
        refused = await play.presses(play.stranger, TAKE)
        await play.presses(play.gwen, TAKE)

        assert refused.is_private
        assert refused.text.startswith("That button is for Juno Marsh.")
        assert await play.points(JUNO, "stress") == 1
        assert await play.waits(60) == []
        assert await play.points(JUNO, "stress") == 1

    async def test_a_gms_desk_says_since_when_an_open_roll_waits(self, play: Play) -> None:
        await fails(play)
        await play.presses(play.alice, TAKE)
        await play.waits(5)
        begun = play.clock.seconds
        await fails(play, AGAIN)
        await play.waits(5)
        await play.types(play.bob, "/compare roll", "d12:1 d12:2 d6:2 d6:4", skill="Stealth")

        (wait,) = (await desk.desk(play.table, play.gwen.asks())).waits
        assert (wait.people, wait.since) == ((play.alice.id,), begun)

    async def test_an_open_roll_counts_while_others_play_on(self, play: Play) -> None:
        await play.types(play.gwen, "/encounter start", others=f"{JUNO}, {OTTO}, Ogre", at_once=True)
        await play.types(
            play.alice, "/compare attack", "d12:4 d12:4 d6:2 d6:4", targets="Ogre", weapon="Unarmed"
        )
        await play.types(play.bob, "/compare move", spaces=2)
        await play.types(play.gwen, "/compare-gm fate", target=JUNO, hp=20)

        (done,) = await play.waits(60)

        assert done.result.message.who == JUNO
        assert await play.points(JUNO, "stress") == 1

    async def test_a_newer_roll_has_its_own_timeout(self, play: Play) -> None:
        await fails(play)
        play.clock.seconds += 40
        await fails(play, AGAIN)
        assert await play.points(JUNO, "stress") == 1  # the first one counts before the second

        assert await play.waits(20) == []
        assert await play.points(JUNO, "stress") == 1
        assert len(await play.waits(40)) == 1
        assert await play.points(JUNO, "stress") == 2

    async def test_an_older_rolls_button_does_not_settle_a_newer_roll(self, play: Play) -> None:
        await fails(play)
        old = play.messages[-1]
        await fails(play, AGAIN)

        said = await play.desk.press(play.alice, old.controls[BURN])

        assert "it is already over" in said[-1].text
        assert await play.points(JUNO, "high") == 5

    async def test_a_roll_settled_by_command_does_not_count_twice(self, play: Play) -> None:
        await fails(play)
        await play.types(play.alice, "/compare take")

        assert await play.waits(60) == []
        assert await play.points(JUNO, "stress") == 1

    async def test_an_undone_settlement_opens_the_roll_again_until_a_press(self, play: Play) -> None:
        await fails(play)
        await play.waits(60)
        await play.presses(play.gwen, "Undo")

        assert await play.points(JUNO, "stress") == 0
        await play.presses(play.alice, BURN)
        assert await play.points(JUNO, "high") == 0

    @pytest.mark.parametrize(("seconds", "label"), [("300", "Accept the Failure · 300 s"), ("0", TAKE)])
    async def test_the_timeout_of_open_rolls_is_a_campaign_setting_and_may_be_off(
        self, play: Play, seconds: str, label: str
    ) -> None:
        await play.set("settle_seconds", seconds)
        said = await play.types(play.alice, "/compare roll", FAILED, skill="Stealth")

        assert said.labels[1] == label
        assert await play.waits(299) == []
        assert len(await play.waits(1)) == (seconds == "300")

    async def test_a_secret_roll_waits_for_the_gm(self, play: Play) -> None:
        said = await play.types(
            play.gwen, "/compare roll", FAILED, skill="Stealth", secret=True, **{"as": JUNO}
        )

        assert said.is_private
        assert said.labels[1] == TAKE
        assert await play.waits(600) == []

    async def test_an_attack_that_counts_by_itself_deals_its_damage(self, play: Play) -> None:
        await play.types(
            play.alice, "/compare attack", "d12:1 d12:4 d6:2 d6:4", targets="Ogre", weapon="Unarmed"
        )

        (done,) = await play.waits(60)

        assert done.result.message.headline == "lets the roll stand: attacks Ogre with Unarmed (time ran out)"
        assert [roll.rule for roll in done.result.rolls] == ["compare", "damage"]
        assert done.result.follow_ups[0].follow_up.label == "Ogre counters · Baseball Bat 1d6"


class TestAttackOnAPlayer:
    """CMP-COM-10: the target defends; who does not in time dodges."""

    async def test_an_unanswered_attack_rolls_dodging_automatically(self, play: Play) -> None:
        await ogre_attacks(play)
        assert await play.waits(59) == []

        (done,) = await play.waits(1)

        assert done.result.message.headline.startswith("defends against Ogre (4 damage) with Dodging")
        assert await play.document("incoming/1") is None

    async def test_the_player_may_defend_early_with_another_skill(self, play: Play) -> None:
        await ogre_attacks(play)
        said = await play.chooses(play.alice, "Juno Marsh defends with", "Precision", "d12:1 d12:1 d6:3 d6:4")

        assert "with Precision, Normal" in said.text
        assert "Nothing gets through." in said.text
        assert await play.waits(60) == []

    async def test_a_stranger_cannot_defend_for_a_character(self, play: Play) -> None:
        await ogre_attacks(play)
        said = await play.presses(play.stranger, "Juno: Dodging")

        assert said.is_private
        assert await play.document("incoming/1") is not None

    async def test_each_of_two_attacks_has_its_own_defense_button(self, play: Play) -> None:
        await ogre_attacks(play)
        first = play.messages[-1]
        await ogre_attacks(play)
        dodge = next(label for label in first.controls if "Dodging" in label)
        await play.presses(play.alice, "Juno: Dodging", "d12:1 d12:1 d6:3 d6:4")
        again = await play.desk.press(play.alice, first.controls[dodge], "5")

        assert "with Dodging" in again[-1].text
        assert await play.document("incoming/1") is None

    async def test_the_automatic_defense_may_be_switched_off(self, play: Play) -> None:
        await play.set("defense_seconds", "0")
        await ogre_attacks(play)

        assert await play.waits(4000) == []

    async def test_a_target_that_is_down_by_then_takes_the_full_damage(self, play: Play) -> None:
        await ogre_attacks(play)
        await play.types(play.gwen, "/compare-gm fate", target=JUNO, hp=0)

        (done,) = await play.waits(60)

        assert done.result.message.headline == "is down and can't defend against Ogre (time ran out)"
        assert await play.document("incoming/1") is None


class TestWhatOnlyAGmSays:
    """A GM's options are refused to players, and what would count for nothing to everybody."""

    async def test_a_player_cannot_make_an_attack_or_a_defense_easier(self, play: Play) -> None:
        attacked = await play.types(play.alice, "/compare attack", targets="Ogre", difficulty="Trivial")
        await ogre_attacks(play)
        defended = await play.types(play.alice, "/compare defend", difficulty="Trivial")

        assert attacked.text.startswith("Only a GM can set the difficulty of an attack.")
        assert defended.text.startswith("Only a GM can set the difficulty of a defense.")
        assert await play.document("incoming/1") is not None

    async def test_a_player_cannot_remove_cover(self, play: Play) -> None:
        await play.types(play.gwen, "/encounter start", others=f"{JUNO}, Ogre", at_once=True)
        await play.types(play.gwen, "/compare cover", cover="full", **{"as": "Ogre"})
        said = await play.types(play.alice, "/compare attack", targets="Ogre", cover="half")
        more = await play.types(
            play.gwen, "/compare attack", targets="Ogre", cover="none", outcome="Success", **{"as": JUNO}
        )

        assert said.text.startswith("Ogre has full cover. Only a GM can give")
        assert "cover" not in more.text

    @pytest.mark.parametrize(
        ("mode", "given", "why"),
        [
            ("defence_roll", {"outcome": "Crit"}, "The target rolls to defend"),
            ("defence_roll", {"modifier": 3}, "The target rolls to defend"),
            ("auto_hit", {"difficulty": "Hard"}, "opponents hit without a roll"),
            ("gm_rolls_2d6", {"burn": 2}, "Opponents have no skills and no High."),
            ("gm_rolls_2d6", {"skill": "Stealth"}, "Opponents have no skills and no High."),
        ],
    )
    async def test_options_without_effect_in_an_opponents_attack_are_refused(
        self, play: Play, mode: str, given: dict[str, object], why: str
    ) -> None:
        await play.set("opponent_attack", mode)
        said = await play.types(play.gwen, "/compare attack", targets=JUNO, **{"as": "Ogre"}, **given)

        assert said.text.startswith(f"You can't use {next(iter(given))} with an opponent's attack.")
        assert why in said.text


class TestDeath:
    async def test_stress_and_damage_in_one_blow_ask_once_f_small_03(self, play: Play) -> None:
        await play.types(play.gwen, "/compare-gm fate", target=JUNO, high=0, stress=3, hp=1)
        await play.types(play.gwen, "/gm set resource", character=JUNO, resource="High", value=0)
        await play.types(play.gwen, "/gm set field", character=JUNO, field="/ft_lost", value="14")
        await ogre_attacks(play)
        said = await play.presses(play.alice, "Juno: Dodging", FAILED)

        assert said.text.count("Death's Door, or a Blaze of Glory?") == 1
        assert said.labels == [
            "Death's Door · survives < 0.1%",
            "Blaze of Glory · 12+6d6, then dies",
            "Details",
            "Undo",
            "Again",
        ]
        assert (await play.points(JUNO, "hp"), await play.points(JUNO, "stress")) == (0, 3)
        sheet = from_text((await play.kept(JUNO)).sheet)
        assert (sheet["status"], sheet["downed_by"]) == ("dying", 3)


class TestWhatTheGmHandsOut:
    """A number in a reply is what has happened; what cannot be is refused."""

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"thing": "Pistol", "count": 3}, "A character can carry each weapon only once."),
            ({"thing": "Revolver", "count": -1}, "Juno Marsh has no Revolver."),
            ({"thing": "Stim", "count": -1}, "Juno Marsh has no Stim."),
            ({"thing": "Ammunition", "count": -1}, "Juno Marsh has no Ammunition."),
            ({"thing": "Stim", "level": 3}, "Only reusable weapons have a level."),
        ],
    )
    async def test_an_impossible_award_is_refused(
        self, play: Play, given: dict[str, object], said: str
    ) -> None:
        before = (await play.kept(JUNO)).sheet
        answer = await play.types(play.gwen, "/compare-gm give", target=JUNO, **given)

        assert answer.text.startswith(said)
        assert (await play.kept(JUNO)).sheet == before

    async def test_the_gm_cannot_take_more_than_there_is(self, play: Play) -> None:
        await play.types(play.gwen, "/compare-gm give", target=JUNO, thing="Stim", count=2)
        stims = await play.types(play.gwen, "/compare-gm give", target=JUNO, thing="Stim", count=-5)
        await play.types(play.gwen, "/compare-gm give", target=JUNO, thing="Ammunition")
        charges = await play.types(play.gwen, "/compare-gm give", target=JUNO, thing="Ammunition", count=-2)

        assert "takes 2 × Stim from Juno Marsh" in stims.text
        assert "takes the last Ammunition from Juno Marsh" in charges.text
        assert await play.points(JUNO, "ammunition") == 0

    async def test_players_do_not_read_how_many_hp_a_foe_has_when_a_gm_changes_them(self, play: Play) -> None:
        """What a GM's −2 presses; `foes_health` stays in words."""
        await play.types(play.gwen, "/compare-gm foe", target="Ogre", hp=20)

        told = [
            (await play.types(play.gwen, "/compare-gm fate", target="Ogre", hp=hp)).text
            for hp in (18, 20, 20)
        ]

        assert "takes 2 HP from Ogre\nOgre: Condition unhurt → scratched" in told[0]
        assert "gives Ogre 2 HP" in told[1]
        assert "leaves Ogre's HP as they are" in told[2]
        told.append((await play.types(play.alice, "/sheet", name="Ogre")).text)
        assert not any("18" in one or "20" in one for one in told)

    @pytest.mark.parametrize(
        ("given", "said"),
        [({}, "Choose at least one option."), ({"revive": True}, "Juno Marsh isn't dead.")],
    )
    async def test_a_fate_decides_something(self, play: Play, given: dict[str, object], said: str) -> None:
        answer = await play.types(play.gwen, "/compare-gm fate", target=JUNO, **given)

        assert answer.text.startswith(said)

    @pytest.mark.parametrize(
        ("command", "given", "said"),
        [
            (
                "weapon",
                {"name": "Laser", "tags": "Tech, Heavy, Far"},
                "Tech and Heavy are tags of the same kind.",
            ),
            (
                "weapon",
                {"name": "Laser", "tags": "Tech, Far", "skill": "Lasers"},
                "There is no skill “Lasers”.",
            ),
            (
                "weapon",
                {"name": "Laser", "tags": "Tech, Far", "requires": "Lasers 3"},
                "There is no skill “Lasers”.",
            ),
            ("item", {"name": "Rope", "kind": "other", "heals": 4}, "Only remedies heal."),
        ],
    )
    async def test_entries_that_nobody_could_use_are_not_added(
        self, play: Play, command: str, given: dict[str, object], said: str
    ) -> None:
        answer = await play.types(play.gwen, f"/compare-gm {command}", **given)

        assert answer.text.startswith(said)

    async def test_a_difficulty_with_a_known_name_replaces_the_old_one(self, play: Play) -> None:
        await play.types(play.gwen, "/compare-gm difficulty", name="Hard", number=9)
        said = await play.types(
            play.bob, "/compare roll", "d12:12 d12:12 d6:3 d6:4", skill="Stealth", difficulty="Hard"
        )

        assert "against Hard \\(+9\\)" in said.text

    async def test_a_counter_attack_reaches_as_far_as_its_own_target_is(self, play: Play) -> None:
        await play.npc("Wolf")
        await play.types(play.gwen, "/compare-gm foe", target="Wolf", hp=30)
        await play.types(play.gwen, "/compare-gm weapon", name="Lance", tags="Heavy, Room, Piercing")
        await play.types(play.gwen, "/compare-gm give", target=OTTO, thing="Lance")
        said = await play.types(
            play.gwen,
            "/compare attack",
            targets="Wolf, Ogre",
            weapon="Lance",
            distance="20, 5",
            outcome="Cost",
            **{"as": OTTO},
        )

        assert r"**Cost \(set by the GM\)**" in said.text
        assert "~~" not in said.text
        for_gm = (await play.presses(play.gwen, "GM …")).labels
        assert [label for label in said.labels if "counters" in label] == []
        assert [label for label in for_gm if "counters" in label] == ["Ogre counters · Baseball Bat 1d6"]


class TestReplies:
    async def test_the_choice_none_takes_armour_off_f_small_05(self, play: Play) -> None:
        await play.types(play.gwen, "/compare-gm give", target=JUNO, thing="Heavy Armor")
        await play.types(play.alice, "/compare equip", armour="Heavy Armor")
        offered = await play.desk.complete(play.alice, "/compare equip", "armour", "n")
        said = await play.types(play.alice, "/compare equip", armour="none")

        assert "none" in offered
        assert "takes off Heavy Armor" in said.text
        assert from_text((await play.kept(JUNO)).sheet)["armour"] == ""

    async def test_each_kind_of_dice_has_its_name_once_f_small_11(self, play: Play) -> None:
        said = await play.types(play.bob, "/compare roll", "d12:12 d12:2 d6:3 d6:4", skill="Stealth")

        assert "d12\\: 12 and 2 · 2d6\\: ⚂ ⚃ 7" in said.text


async def test_f_own_03_points_that_a_command_awarded_are_awarded(play: Play) -> None:
    await play.types(play.gwen, "/session start")
    await play.types(play.gwen, "/compare-gm award", target=JUNO, skill_points=2)

    preview = await play.types(play.gwen, "/session end")

    assert f"Skill points: 2 skill points to {JUNO}" in preview.text
    assert "Stat points: none awarded yet" in preview.text


async def test_f_own_04_a_cost_is_no_failure_among_the_answers_to_the_gm(play: Play) -> None:
    await play.types(play.gwen, "/gm ask", check="skill check", what="Stealth")
    await play.presses(play.alice, f"{JUNO}: roll", "d12:12 d12:12 d6:2 d6:4")
    await play.presses(play.alice, f"{JUNO}: Accept the Failure")

    said = await play.presses(play.bob, f"{OTTO}: roll", "d12:10 d12:2 d6:3 d6:6")

    assert "**0 of 2 succeed, 1 partly**" in said.text


class TestOneMessage:
    """F-ALL-08, F-SMALL-07: what is pressed under a roll is told in its message, with every die."""

    async def test_high_is_burned_in_the_message_of_the_roll(self, play: Play) -> None:
        await fails(play)
        before = len(play.messages)
        said = await play.presses(play.alice, BURN)

        assert [one.how for one in said.sent] == ["edit"]
        assert len(play.messages) == before
        roll, dice, *_chances, burned = said.text.splitlines()
        assert roll.startswith("**Juno Marsh** checks Stealth")
        assert roll.endswith(" · ~~Failure~~ **Success**")
        assert "12 and 12 · 2d6\\: ⚁ ⚃ 6 + Stealth 3 + Agility 1 + High 5 = **15**" in dice
        assert burned == (
            "**Juno Marsh** burns 5 High on a Failure\\: checks Stealth \\(Acrobatics\\) · High 5 → 0"
        )
        assert said.labels == ["Details", "Undo", "Again"]

    async def test_an_undo_puts_the_message_and_its_buttons_back(self, play: Play) -> None:
        await fails(play)
        as_rolled = play.messages[-1].text
        await play.presses(play.alice, BURN)
        said = await play.presses(play.gwen, "Undo")

        assert said.text == as_rolled
        assert said.labels == [BURN, WAITS, "Details", "Undo", "Again"]
        assert await play.points(JUNO, "high") == 5

    async def test_details_tell_every_step(self, play: Play) -> None:
        await fails(play)
        await play.presses(play.alice, BURN)
        said = await play.presses(play.stranger, "Details")

        assert said.is_private
        assert "~~Failure~~ **Success**" in said.text
        assert "▸ Failure: 15%" in said.text
        assert "burns 5 High" in said.text

    async def test_a_defense_and_its_burn_are_shown_under_the_attack(self, play: Play) -> None:
        await ogre_attacks(play)
        before = len(play.messages)
        await play.presses(play.alice, "Juno: Dodging", FAILED)
        said = await play.presses(play.alice, "Burn")

        assert len(play.messages) == before
        first, *others = said.text.splitlines()
        assert first.startswith("**Ogre** attacks Juno Marsh")
        (defence,) = [one for one in others if "** defends" in one and "~~" in one]
        assert defence.startswith("**Juno Marsh** defends")
        details = await play.presses(play.bob, "Details")
        assert details.text.count("2d6") == 1
        assert "+ High" in details.text

    async def test_each_roll_at_deaths_door_is_added_to_the_message(self, play: Play) -> None:
        await play.types(play.gwen, "/compare-gm fate", target=JUNO, hp=0)
        await play.types(play.alice, "/compare deathsdoor", "d6:6 d6:5")
        before = len(play.messages)
        await play.presses(play.alice, "Make the second roll", "d6:1 d6:2")
        said = await play.presses(play.alice, "Make the third roll", "d6:6 d6:6")

        assert len(play.messages) == before
        assert [
            one.partition("** makes ")[2] for one in said.text.splitlines() if "at Death's Door" in one
        ] == [
            "the first roll at Death's Door · **hit**",
            "the second roll at Death's Door · **miss**",
            "the third roll at Death's Door · **hit**",
        ]

    async def test_every_button_of_a_board_takes_one_line_of_a_phone(self, play: Play) -> None:
        brawler = "Street Brawler 1"
        await play.npc(brawler)
        await play.types(play.gwen, "/compare-gm foe", target=brawler, hp=6, weapon="Baseball Bat")
        await play.types(play.alice, "/encounter start", others=f"{OTTO}, {brawler}")
        await play.types(play.gwen, "/encounter next")

        assert [[one.label for one in row] for row in await board_rows(play)] == [
            ["Juno: Attack Brawler 1 · 89%"],
            ["Otto: Attack Brawler 1 · 92%"],
            ["End turn", "More …", "GM …"],
        ]

    async def test_a_sheet_says_once_what_is_added_and_the_chances_of_three_costs_are_one(
        self, play: Play
    ) -> None:
        sheet = await play.types(play.alice, "/sheet")
        await play.presses(play.alice, "Check …")
        composer = await play.chooses(play.alice, "Roll with options …", "Precision")

        assert "Acrobatics \\(+1 each\\)\\: Precision 4, Stealth 3, Dodging 3" in sheet.text
        assert "INT 5 · EDU 5" in sheet.text
        assert composer.text.count("Cost") == 1

    async def test_the_end_of_a_turn_is_posted_as_its_own_message(self, play: Play) -> None:
        await play.types(play.gwen, "/encounter start", others=f"{JUNO}, {OTTO}, Ogre", at_once=True)
        await play.types(play.alice, "/compare attack", "d12:1 d12:1 d6:1 d6:1", targets="Ogre")
        said = await play.presses(play.alice, "End turn")

        assert [one.how for one in said.sent] == ["edit", "follow-up"]
