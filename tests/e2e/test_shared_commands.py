"""The commands that every game shares: characters, dice, odds, rules, help, undo, and wrong names."""

from __future__ import annotations

import re

import pytest

from bot.playground.discord import read
from tests.e2e.opening import ALICES, BOBS, open_campaign, open_other, open_play
from tests.e2e.people import Party, everything_of, gather
from tests.e2e.pressing import ChosenDice, faces
from tests.e2e.table import Table
from tests.e2e.test_joining import exported, upload
from tests.e2e.test_resting import newest_saying

DIE = re.compile(r"[⚀⚁⚂⚃⚄⚅]|[0-9JQKA]+[♠♥♦♣]|Joker")
ILSA = "Ilsa Roan"


class TestCharacter:
    async def test_everybody_can_read_sheets_but_change_only_their_own(self, party: Party) -> None:
        await open_play(party)
        alice, bob = party.alice, party.bob

        private = await alice.types("/character sheet", hears=[f"### {ALICES}", "played by <@"])
        shown = await bob.types(f"/character sheet name:{ALICES} show:True", hears=f"### {ALICES}")
        await alice.types("/character list", hears=[f"{ALICES} · ", f"{BOBS} · ", "your current character"])

        assert (private.ephemeral, shown.ephemeral) == (True, False)
        assert await alice.is_offered("/character sheet", "name", "b") == [BOBS]
        assert await alice.is_offered("/character rename", "name", "") == [ALICES]

    async def test_a_new_name_is_shown_as_typed_and_can_be_undone(self, party: Party) -> None:
        await open_play(party)
        alice = party.alice

        await alice.types(
            f"/character rename name:{ALICES} to:**Nettle** @everyone",
            hears=r"is now called \*\*Nettle\*\* \@everyone",
        )
        await alice.presses("Undo", hears="Undone")
        await alice.types("/character sheet", hears=f"### {ALICES}")

    @pytest.mark.parametrize(
        ("game", "field", "value"),
        [
            ("Post-magic-maid", "is_dead", "yes"),
            ("Project Swim Class", "is_dead", "yes"),
            ("Compare Roll", "status", "dead"),
            ("RPJ Core", "health/out", "dead"),
        ],
    )
    async def test_f_all_25_the_dead_are_listed_as_dead(
        self, party: Party, game: str, field: str, value: str
    ) -> None:
        await open_other(party, game)
        gwen, alice, bob = party.everybody
        name = (await alice.is_offered("/character rename", "name", ""))[0]

        await gwen.types(f"/gm set field character:{name} field:{field} value:{value}", hears=name)

        await alice.types(
            "/character list",
            hears=[
                "> · **dead** · your current character",
                "Your character is dead. Make a new one with /character create",
            ],
        )
        listed = await bob.types("/character list", hears=f"{name} · ")
        assert "Your character is dead" not in listed.text

    async def test_undo_brings_a_retired_character_back(self, party: Party) -> None:
        await open_play(party)
        alice = party.alice

        await alice.types(f"/character retire name:{ALICES}", hears="retires")
        await alice.types("/character sheet", hears="You have no character here. Take a ready-made hero")
        await alice.types("/undo", hears=rf"**Alice** undoes\: {ALICES} retires")
        await alice.types(f"/character use name:{ALICES}", hears=f"**Alice** plays {ALICES}")

    async def test_a_player_cannot_retire_anothers_character(self, party: Party) -> None:
        await open_play(party)

        refused = await party.bob.types(
            f"/character retire name:{ALICES}", hears=f"{ALICES} isn't your character."
        )

        assert refused.ephemeral


class TestRoll:
    async def test_a_roll_is_public_unless_it_is_secret(self, party: Party) -> None:
        await open_play(party)

        public = await party.alice.types(
            "/roll expression:2d1+3 label:the rope", hears=["**Alice** rolls the rope", "= **5**"]
        )
        secret = await party.bob.types("/roll expression:1d6 secret:True", hears="**Bob** rolls")

        assert (public.ephemeral, secret.ephemeral) == (False, True)

    async def test_a_wrong_expression_is_refused_privately(self, party: Party) -> None:
        await open_play(party)

        refused = await party.alice.types("/roll expression:2d6kx1")

        assert refused.ephemeral

    async def test_roll_works_without_a_campaign(self, party: Party) -> None:
        await party.alice.types(
            "/roll expression:1d6", hears="There is no campaign here, so this roll isn't saved"
        )


class TestOdds:
    async def test_odds_shows_the_exact_chances_of_any_dice(self, party: Party) -> None:
        await open_play(party)
        await party.alice.types("/odds dice expression:1d4", hears="2.50 on average")


class TestRulesAndHelp:
    async def test_rules_offers_titles_and_shows_a_rule(self, party: Party) -> None:
        await open_play(party)
        titles = await party.alice.is_offered("/rules", "about", "")

        shown = await party.alice.types(f"/rules about:{titles[0]}", hears="-# ")

        assert shown.ephemeral

    async def test_help_shows_first_steps_and_a_commands_subcommands(self, party: Party) -> None:
        await party.alice.types("/help", hears=["**Getting started**", "/campaign create"])

        await party.alice.chooses("Commands", "/character", hears="</character sheet:")

    async def test_help_shows_the_commands_of_this_game_to_each_role(self, party: Party) -> None:
        await open_play(party)
        await party.alice.types("/maid check first:Int second:Dex")

        mine = await party.alice.types("/help", hears=["**What you can do now**", "</maid check:"])
        assert mine.text.index("</maid check:") < mine.text.index("</maid ace:")
        assert "/swim" not in mine.text
        assert "/gm" not in mine.text
        await party.gwen.types("/help", hears=["Start a session: </session start:"])
        await party.alice.types("/help")
        await party.alice.presses("Next", hears="Page 2 of")


class TestUndo:
    async def test_undo_says_when_there_is_nothing_to_undo(self, party: Party) -> None:
        await open_play(party)

        refused = await party.gwen.types("/undo", hears="Your last action can't be undone")

        assert refused.ephemeral

    async def test_only_the_gm_can_undo_anothers_action(self, party: Party) -> None:
        await open_play(party)
        await party.alice.types(f"/character rename name:{ALICES} to:Nettle")

        await party.bob.presses("Undo", hears=f"**Bob** asks the GM to undo: **{ALICES}** is now called")
        stranger = await party.bob.presses("Undo it (GM)", hears="Only a GM can press that button.")
        await party.gwen.presses("Undo it (GM)", hears="**Gwen** undoes")

        assert stranger.ephemeral
        await party.alice.types("/character sheet", hears=f"### {ALICES}")


def dice_lines(text: str) -> list[str]:
    """Return the lines of a message that show dice or cards."""
    return [line for line in text.splitlines() if DIE.search(line)]


class TestOddsOfTheCampaign:
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
        assert text.count("quiet: 17% (1 of 6)") == 1, "both have the same chances"

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


class TestUndoOffers:
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


async def test_players_see_their_own_dice_and_the_gm_everyones(house: Table) -> None:
    party = gather(house.discord)
    gwen, alice, bob = party.everybody
    await open_play(party)
    await gwen.types("/session start")
    await alice.types("/roll expression:20d6")
    await gwen.types("/roll expression:9d20 secret:True label:kanarie")
    told = await alice.types("/stats", hears=["**Your dice** in The Manor", "20 d6 averaged ", "dice.png"])
    assert told.ephemeral
    await gwen.types("/stats", hears="9 d20 averaged ")

    await house.restart()
    await alice.chooses("One size, by session", "d6", hears=["**Your d6s**", "Session 1: 20 dice, "])
    await alice.presses("Check the dice", hears="dice anyone can check")
    await gwen.presses("Everyone", hears=["Alice · 20 dice · d6", "Gwen · 9 dice · d20"])
    await gwen.chooses("Look at somebody's dice", "Alice", hears="**Alice's dice**")
    await bob.types("/stats", hears="You have rolled no dice in The Manor yet.")
    assert all("kanarie" not in str(one) for one in (*alice.member.sees(), *bob.member.sees()))


async def test_f_all_38_a_gm_shows_a_secret_roll_right_away(house: Table, party: Party) -> None:
    await open_play(party)
    secret = await party.gwen.types("/roll expression:4d6 label:a trap secret:True", hears="a trap")
    assert secret.ephemeral
    assert not any("a trap" in read(one) for one in party.bob.member.sees())

    await party.gwen.presses("Show to all")

    await house.discord.until(
        lambda: any("trap" in read(one).replace("\\", "") for one in party.bob.member.sees())
    )
    assert "Show to all" not in (await party.alice.types("/roll expression:1d6 secret:True")).buttons


async def test_f_all_38_a_gms_help_names_the_context_menus(party: Party) -> None:
    await open_play(party)

    await party.gwen.types("/help", hears=["*Ask for a check*", "*Undo this*"])
    assert "Undo this" not in (await party.alice.types("/help")).text


async def test_a_button_runs_the_right_games_command_once(house: Table, party: Party) -> None:
    await open_campaign(party, "The Docks", "Compare Roll")
    await open_other(party, "Post-magic-maid")
    before = everything_of(house.database, party.server.id)

    refused = await party.alice.types(
        "/compare rest hours:2", hears=["This campaign plays Post-magic-maid.", "Use /maid rest."]
    )

    assert refused.ephemeral
    assert everything_of(house.database, party.server.id) == before
    await party.alice.presses("/maid rest hours:2", hears="is about to rest for 2 hours")
    log = (await party.gwen.types("/log")).text
    assert log.count("is about to rest for 2 hours") == 1


async def test_a_command_with_different_options_is_named_without_a_button(house: Table, party: Party) -> None:
    await open_campaign(party, "The Palace", "Post-magic-maid")
    await open_other(party, "Compare Roll")
    before = everything_of(house.database, party.server.id)

    refused = await party.alice.types(
        "/maid check first:Int second:Dex", hears="This campaign plays Compare Roll. Use /compare"
    )

    assert "[" not in refused.text
    assert everything_of(house.database, party.server.id) == before


async def test_a_command_of_the_same_name_is_suggested(house: Table, party: Party) -> None:
    await open_campaign(party, "The Academy", "Project Swim Class")
    await open_other(party, "RPJ Core")

    await party.alice.types(
        "/swim attack skill:Basic Melee targets:Nobody",
        hears="This campaign plays RPJ Core. Use /rpj-fight attack.",
    )
    await party.alice.types("/swim jump gap:4", hears="Its commands start with /rpj.")


async def test_a_suggested_name_can_be_pressed_and_runs_once(house: Table, party: Party) -> None:
    """F-RPJ-15."""
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy")
    await party.alice.types(f"/character create ready:{ILSA}", hears=ILSA)
    before = everything_of(house.database, party.server.id)

    refused = await party.alice.types(
        "/rpj check skill:Stealth difficulty:8",
        hears="This campaign has no skill “Stealth”. Did you mean Concealment?",
    )

    assert refused.ephemeral
    assert refused.buttons == ["Concealment"]
    assert everything_of(house.database, party.server.id) == before
    pressed = await party.alice.member.press(refused, "Concealment")  # a sheet may come below it
    await party.alice.heard(pressed, f"**{ILSA}** checks Concealment, Legendary")
    assert (await party.gwen.types("/log")).text.count("checks Concealment") == 1


async def test_each_of_two_suggested_names_has_a_button(party: Party) -> None:
    """F-RPJ-15."""
    await open_campaign(party, "The Old Pass", "RPJ Core")
    await party.gwen.types("/campaign settings setting:module value:fantasy")
    await party.alice.types(f"/character create ready:{ILSA}", hears=ILSA)

    refused = await party.alice.types(
        "/rpj check skill:blade modifiers:+1 rope", hears="Did you mean Large Blades or Small Blades?"
    )

    assert refused.buttons == ["Large Blades", "Small Blades"]
    pressed = await party.alice.member.press(refused, "Small Blades")
    await party.alice.heard(pressed, ["checks Small Blades", "rope 1"])
