"""What Discord's menu of a person and of a message offers, through the real bot."""

from __future__ import annotations

import pytest

from bot.playground.discord import read
from tests.e2e.opening import ALICES, BOBS, GAME, open_campaign, open_other, open_play
from tests.e2e.people import gather
from tests.e2e.table import Room, Table

CHOSEN = {
    "Post-magic-maid": {"What to ask for": "Str + Dex", "Difficulty": "15"},
    "Sword & Swarm": {"What to ask for": "Attribute test: Mallet"},
    "Compare Roll": {"What to ask for": "Luck check", "Difficulty": "Normal"},
    "Project Swim Class": {"What to ask for": "Swim", "Difficulty": "2"},
    "RPJ Core": {"What to ask for": "saving throw: cha", "Difficulty": "Easy · 7-8+"},
}
WOUND = f"/maid-gm wound target:{ALICES} track:blunt tier:10 count:1"


class TestSheet:
    async def test_a_person_shows_the_sheet_of_the_character_they_play_privately(self, room: Room) -> None:
        party = gather(room.discord)
        await open_play(party)

        shown = await party.alice.uses("Sheet", on=party.bob, hears=[BOBS, "played by"])

        assert shown.ephemeral

    async def test_your_own_menu_opens_the_sheet_you_play_from(self, room: Room) -> None:
        party = gather(room.discord)
        await open_play(party)

        await party.alice.uses("Sheet", on=party.alice, hears=ALICES)

    async def test_a_person_without_a_character_is_named(self, room: Room) -> None:
        party = gather(room.discord)
        await open_campaign(party)

        await party.alice.uses("Sheet", on=party.bob, hears="Bob has no character here.")
        await party.alice.uses("Sheet", on=party.alice, hears="You have no character here.")


class TestAskForACheck:
    @pytest.mark.parametrize("game", CHOSEN)
    async def test_the_gm_chooses_in_a_form_and_the_player_rolls_by_a_button(
        self, room: Room, game: str
    ) -> None:
        party = gather(room.discord)
        await open_other(party, game)
        name = (await party.alice.is_offered("/character rename", "name"))[0]

        await party.gwen.uses("Ask for a check", on=party.alice)
        await party.gwen.writes(
            {**CHOSEN[game], "What it is about": "a locked door"}, hears=["asks for a", "a locked door"]
        )

        await party.bob.presses(f"{name}: roll", hears=f"That button is for {name}.")
        await party.alice.presses(f"{name}: roll", hears=f"**{name}**")

    async def test_only_a_gm_can_ask(self, room: Room) -> None:
        party = gather(room.discord)
        await open_play(party)

        await party.alice.uses("Ask for a check", on=party.bob, hears="Only a GM can do that")

    async def test_the_form_works_after_a_restart(self, house: Table) -> None:
        party = gather(house.discord)
        await open_play(party)
        await party.gwen.uses("Ask for a check", on=party.alice)

        await house.restart()

        await party.gwen.writes({"What to ask for": "Str + Dex"}, hears="asks for a")

    async def test_a_name_of_two_checks_is_refused(self, room: Room) -> None:
        party = gather(room.discord)
        await open_other(party, "RPJ Core")
        await party.gwen.uses("Ask for a check", on=party.alice)

        both = {"What to ask for": "Charisma"}
        await party.gwen.writes(both, hears=["Several checks are called “Charisma”.", "Did you mean"])


class TestOnAMessage:
    async def test_details_are_the_same_as_under_the_button(self, room: Room) -> None:
        party = gather(room.discord)
        await open_play(party)
        rolled = await party.alice.types("/maid check first:Int second:Dex")

        by_menu = await party.bob.uses("Details", on=rolled)
        by_button = await party.bob.presses("Details")

        assert by_menu.ephemeral
        assert by_menu.text == by_button.text

    async def test_undo_this_undoes_what_the_message_shows_and_strikes_it_through(self, room: Room) -> None:
        party = gather(room.discord)
        await open_play(party)
        wounded = await party.gwen.types(WOUND, hears="[Undo]")
        await party.gwen.types("/gm award resource:Blitz Points amount:-1 characters:Bram Ostergard")

        await party.gwen.uses("Undo this", on=wounded, hears="undoes")

        await room.discord.until(
            lambda: any("~~" in read(one) and "Undone." in read(one) for one in party.bob.member.sees(None))
        )
        await party.gwen.uses("Undo this", on=wounded, hears="There is nothing to undo in this message.")

    async def test_somebody_elses_change_follows_the_rules_of_undo(self, room: Room) -> None:
        party = gather(room.discord)
        await open_play(party)
        wounded = await party.gwen.types(WOUND, hears="[Undo]")

        await party.bob.uses("Undo this", on=wounded, hears="asks the GM to undo")
        await party.gwen.presses("Undo it (GM)", hears="undoes")

    async def test_a_message_without_a_result_says_so(self, room: Room) -> None:
        party = gather(room.discord)
        created = await party.gwen.types(f"/campaign create ruleset:{GAME} name:The Manor")

        await party.alice.uses("Undo this", on=created, hears="There is nothing to undo in this message.")
        await party.alice.uses("Details", on=created, hears="There are no dice to explain in this message.")
