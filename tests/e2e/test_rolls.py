"""Who rolls and what for, in every message with dice; and what /odds, /undo and /rules go by."""

from __future__ import annotations

import re

import pytest

from tests.e2e.opening import open_other
from tests.e2e.people import Party, everything_of
from tests.e2e.pressing import ChosenDice, faces
from tests.e2e.table import Table
from tests.e2e.test_beginners import exported, upload
from tests.e2e.test_resting import newest_saying

DIE = re.compile(r"[⚀⚁⚂⚃⚄⚅]|[0-9JQKA]+[♠♥♦♣]|Joker")


def dice_lines(text: str) -> list[str]:
    """Return the lines of a message that show dice or cards."""
    return [line for line in text.splitlines() if DIE.search(line)]


class TestOdds:
    """F-SMALL-04: /odds uses the campaign's settings."""

    async def test_swarms_odds_match_the_chance_shown_by_the_roll(self, house: Table, party: Party) -> None:
        await open_other(party, "Sword & Swarm")
        test = "attribute:Shield value:5 bonus:-1"
        await party.gwen.types("/gm npc name:Raider")
        await party.alice.types("/odds swarm test:opponent attribute:5 bonus:-1", hears="success: **0%**")
        await party.gwen.types("/campaign settings setting:confirm_when_impossible value:yes")

        await party.alice.types("/odds swarm test:opponent attribute:5 bonus:-1", hears="success: **14%**")
        await party.alice.types(f"/swarm versus {test}", hears="tests Shield")
        await party.alice.presses("Details", hears="14%")

    async def test_compare_rolls_odds_use_the_campaigns_default_difficulty(
        self, house: Table, party: Party
    ) -> None:
        await open_other(party, "Compare Roll")
        asked = "/odds compare skill:2 difficulty:Hard"
        hard = (await party.alice.types(asked, hears=["Success or better: **", "succeeds at a cost"])).text
        await party.gwen.types("/campaign settings setting:default_difficulty value:Hard")

        assert (await party.alice.types("/odds compare skill:2")).text == hard


class TestInitiative:
    """F-ALL-09: initiative lines had no names."""

    @pytest.mark.parametrize("game", ["RPJ Core", "Project Swim Class", "Post-magic-maid"])
    async def test_each_initiative_line_begins_with_who_rolled(
        self, house: Table, party: Party, game: str
    ) -> None:
        await open_other(party, game)
        await party.gwen.types("/gm npc name:Raider")
        await party.gwen.types("/encounter start")
        for player in (party.alice, party.bob):
            await player.presses("Join")
        await party.gwen.types("/gm encounter add name:Raider")
        text = (await party.gwen.types("/encounter next")).text
        if "[Details]" in text:
            text = (await party.gwen.presses("Details")).text

        ready = (await party.alice.is_offered("/character create", "ready"))[:2]
        whose = [line.partition(", ")[0] for line in dice_lines(text)]
        assert whose[:3] == [*ready, "Raider"]
        assert all(re.match(r"[^,]+, (initiative|tie-break): ", line) for line in dice_lines(text))


class TestSeveralAtOnce:
    """F-ALL-09: dice lines of rests and gear had no names."""

    async def test_each_dice_line_of_a_rest_names_who_rests(self, house: Table, party: Party) -> None:
        await open_other(party, "Compare Roll")
        one, other = (await party.alice.is_offered("/character create", "ready"))[:2]

        await party.alice.types("/compare rest hours:1", hears="is about to rest for 1 hour")
        await party.bob.presses("Rest too", hears="Resting")
        await party.alice.presses("Rest now: 1 hour passes", hears="rested for 1 hour")
        await newest_saying(party.alice, "rests for 1 hour with")
        text = (await party.alice.presses("Details", hears="quiet")).text

        assert [line.partition(":")[0] for line in dice_lines(text)] == [f"{one}, rest", f"{other}, rest"]
        assert text.count("quiet 17% (1 of 6)") == 1, "both have the same chances"

    async def test_the_line_of_fragile_gear_names_its_owner_and_its_chance(
        self, house: Table, party: Party
    ) -> None:
        """F-SWIM-24: there were two lines “chance was 75%” and “chance was 83%” without names."""
        await open_other(party, "Project Swim Class")
        file = await exported(party.alice)
        ladder = {"role": "task", "skills": ["climb"], "bonus": 2}
        file["sheet"]["items"] = [{"name": "Rope ladder", "mods": [ladder], "is_limited": True}]
        await party.gwen.types("/character import name:Rigger", file=upload(file), hears="Rigger")

        answer = await party.gwen.types("/swim roll skill:Climb difficulty:4 as:Rigger")

        check, gear = dice_lines(answer.text)
        assert re.fullmatch(r"Rigger, check: .*\(\d+%\)", check)
        assert re.fullmatch(r"Rigger, gear: (~~)?Rope ladder [⚀-⚅](~~)? \(83%\)", gear)
        assert "chance was" not in answer.text


class TestUndo:
    """F-ALL-03: /undo undid older changes unasked, in the end the whole character."""

    async def test_f_all_36_undo_after_a_clean_check_offers_nothing_older(
        self, house: Table, party: Party
    ) -> None:
        await open_other(party, "Post-magic-maid")
        with ChosenDice(house, party).fall(faces((8, range(1, 8)))):  # two highest faces give a Blitz Point
            await party.alice.types("/maid check first:Int second:Dex")
        await party.gwen.types("/maid-gm wound target:Nettle Quickwater track:blunt tier:10 count:1")
        before = everything_of(house.database, party.server.id)

        refused = await party.alice.types("/undo", hears="Your last roll changed nothing")

        assert refused.ephemeral
        assert not refused.buttons
        assert everything_of(house.database, party.server.id) == before

    async def test_undo_asks_before_it_removes_a_character(self, house: Table, party: Party) -> None:
        await open_other(party, "Sword & Swarm")
        before = everything_of(house.database, party.server.id)

        typed = await party.alice.types("/undo", hears="This removes the whole character.")
        pressed = await party.bob.presses("Undo", hears="This removes the whole character.")

        assert typed.ephemeral
        assert pressed.ephemeral
        assert everything_of(house.database, party.server.id) == before
        await party.bob.presses("Undo it", hears="joins the campaign")
        await party.bob.types("/character sheet", hears="You have no character here")


class TestRulebook:
    """F-ALL-07: /rules answered with another game's rule."""

    async def test_rules_answers_only_for_the_campaigns_game(self, party: Party) -> None:
        await open_other(party, "Compare Roll")

        await party.alice.types("/rules about:stress", hears=["**Stress**", "Compare Roll · Stress and High"])
        await party.alice.types("/rules about:how do I attack", hears=["**Attacking**", "-# Compare Roll"])
        await party.alice.types("/rules about:blitz", hears="Compare Roll has no rule about “blitz”.")
