"""The commands that every game shares: characters, dice, odds, rules, help, undo."""

from __future__ import annotations

import pytest

from tests.e2e.opening import ALICES, BOBS, open_other, open_play
from tests.e2e.people import Party


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
