"""Procedures: run once per interaction, whole or not at all, by whoever may."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Choice, Creation, CreationRoll, Draft, Problem, Question, Step
from bot.rules.kernel.errors import UserError, UserErrors
from bot.store.records import EntryId, EntryRecord
from bot.table.base.access import ForGmOnly, NoCampaign, NoCharacter, NoSuchCharacter
from bot.table.base.results import ChangeLine, Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, creation_pages
from bot.table.characters.creation_pages import DraftGone, WizardPage
from bot.table.gm import gm
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.journal import verify as export
from bot.table.journal.verify import verify
from bot.table.play import play
from bot.table.play.actions import UnaccountedDice
from bot.table.sessions import endings, sessions
from tests.store.rows import an_entry
from tests.table.conftest import Person
from tests.table.counting import everything
from tests.table.toy import TOY
from tests.table.toy_module import CheckInputs, ToySettings, ToySheet


async def do(table: Table, who: Person, procedure: str, **given: Any) -> Result:
    return await play.perform(table, who.asks(), procedure, given)


async def refused(table: Table, who: Person, procedure: str, **given: Any) -> UserError:
    """Do something refused, and check that nothing has changed."""
    before = everything(table)
    with pytest.raises(UserError) as told:
        await do(table, who, procedure, **given)
    assert everything(table) == before
    return told.value


async def entries(table: Table, who: Person) -> list[EntryRecord]:
    request = who.asks()
    campaign = await table.store.read(lambda reader: reader.campaign_at(request.server, request.places))
    assert campaign is not None
    return await table.store.read(lambda reader: reader.entries(request.server, campaign.id))


async def luck(table: Table, name: str) -> int:
    server = Person(0, "", lambda: "0").server  # type: ignore[arg-type]  # no interaction is counted here
    campaign = await table.store.read(lambda reader: reader.campaigns(server)[0].id)
    found = await table.store.read(lambda reader: reader.character_named(server, campaign, name))
    assert found is not None
    return found.resources["luck"][0]


class TestPerforming:
    async def test_a_procedure_is_answered_saved_and_journalled(self, game: Table, ada: Person) -> None:
        result = await do(game, ada, "spend")

        assert (result.message.who, result.message.headline) == ("Ada", "spends Luck")
        assert result.message.changes == (ChangeLine("Ada", "Luck", "2", "1"),)
        assert result.can_undo
        entry = (await entries(game, ada))[0]
        assert (entry.id, entry.kind, entry.person, entry.person_name) == (
            result.entry,
            "play.spend",
            2,
            "Alice",
        )
        assert entry.seed is None
        assert await luck(game, "Ada") == 1

    async def test_dice_come_from_the_seed_in_use_and_the_interaction(self, game: Table, ada: Person) -> None:
        result = await play.perform(game, ada.asks("4711"), "check", {})

        assert [die.face for roll in result.rolls for die in roll.dice] == [2]
        assert (await entries(game, ada))[0].seed == 1

    async def test_the_same_interaction_twice_acts_once(self, game: Table, ada: Person) -> None:
        request = ada.asks()

        first = await play.perform(game, request, "spend", {})
        after_first = everything(game)
        second = await play.perform(game, request, "spend", {})

        assert second == first
        assert everything(game) == after_first

    async def test_the_same_interaction_twice_at_the_same_moment_acts_once(
        self, game: Table, ada: Person
    ) -> None:
        request = ada.asks()

        first, second = await asyncio.gather(*(play.perform(game, request, "check", {}) for _ in range(2)))

        assert first == second
        assert await luck(game, "Ada") == 2

    async def test_the_answer_stays_the_same_after_the_campaign_has_left_the_place(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        request = ada.asks()
        first = await play.perform(game, request, "spend", {})
        await campaigns.archive(game, gm.asks(), "The Long Road")

        assert await play.perform(game, request, "spend", {}) == first

    async def test_two_who_spend_the_last_point_at_once_spend_it_once(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await do(game, ada, "spend")
        requests = [who.asks() for who in (gm, ada, gm, ada)]

        answers = await asyncio.gather(
            *(play.perform(game, request, "spend", {}, acting="Ada") for request in requests),
            return_exceptions=True,
        )

        assert sorted(type(answer).__name__ for answer in answers) == ["Result"] + ["UserError"] * 3
        assert await luck(game, "Ada") == 0

    async def test_a_refused_procedure_changes_nothing(self, game: Table, ada: Person) -> None:
        mistake = await refused(game, ada, "stumble", target="Bo")

        assert mistake.sentences == ("Nobody stumbles here.",)

    async def test_unreported_dice_are_a_fault_and_nothing_is_saved(self, game: Table, ada: Person) -> None:
        before = everything(game)

        with pytest.raises(UnaccountedDice, match="told \\[\\]"):
            await do(game, ada, "cheat")

        assert everything(game) == before


class TestWhoMay:
    async def test_nobody_plays_without_a_campaign(self, table: Table, ada: Person) -> None:
        with pytest.raises(NoCampaign):
            await do(table, ada, "check")

    async def test_nobody_plays_in_an_archived_campaign_or_from_another_server(
        self, game: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        assert isinstance(await refused(game, neighbour, "check"), NoCampaign)
        await campaigns.archive(game, gm.asks(), "The Long Road")

        assert isinstance(await refused(game, ada, "check"), NoCampaign)

    async def test_only_a_gm_may_use_a_gms_procedure(self, game: Table, gm: Person, ada: Person) -> None:
        assert isinstance(await refused(game, ada, "hurt", target="Bo"), ForGmOnly)

        result = await do(game, gm, "hurt", target="Bo")

        assert result.message.changes == (ChangeLine("Bo", "Body light", "0", "1"),)

    async def test_a_gm_may_roll_in_secret(self, game: Table, gm: Person) -> None:
        secret = await play.perform(game, gm.asks(), "check", {}, acting="Ada", is_secret=True)

        assert not secret.message.is_public
        assert (await entries(game, gm))[0].is_secret

    async def test_only_a_gm_may_act_as_somebody_elses_character(
        self, game: Table, gm: Person, bo: Person
    ) -> None:
        before = everything(game)
        with pytest.raises(UserError, match="Ada isn't your character"):
            await play.perform(game, bo.asks(), "spend", {}, acting="Ada")
        assert everything(game) == before

        assert (await play.perform(game, gm.asks(), "spend", {}, acting="Ada")).message.who == "Ada"

    async def test_a_procedure_of_another_game_is_refused(self, game: Table, ada: Person) -> None:
        mistake = await refused(game, ada, "blitzkrieg")

        assert mistake.sentences == (
            "Toy Game doesn't have that.",
            "Its commands start with /toy.",
        )

    async def test_a_campaign_whose_game_is_gone_says_so(self, game: Table, ada: Person) -> None:
        with pytest.raises(UserError, match="not installed"):
            await do(replace(game, games={}), ada, "check")

    async def test_a_person_without_a_character_is_told_to_make_one(self, game: Table, gm: Person) -> None:
        mistake = await refused(game, gm, "check")

        assert isinstance(mistake, NoCharacter)
        assert mistake.sentences == (
            "You have no character here.",
            "Name the NPC that acts with as:, or make a character with /character create.",
        )

    async def test_a_person_with_several_characters_is_told_to_choose_one(
        self, game: Table, ada: Person
    ) -> None:
        for name in ("Abe", "Abel"):
            await characters.take_ready_made(game, ada.asks(), "Ada", name)
        await characters.retire(game, ada.asks(), "Abel")

        mistake = await refused(game, ada, "check")

        assert mistake.sentences == (
            "You have more than one character here.",
            "Choose one with /character use.",
        )

    async def test_after_the_current_character_retires_the_only_other_one_acts(
        self, game: Table, ada: Person
    ) -> None:
        await characters.take_ready_made(game, ada.asks(), "Ada", "Abe")
        await characters.retire(game, ada.asks(), "Abe")

        assert (await do(game, ada, "check")).message.who == "Ada"


class TestOptions:
    @pytest.mark.parametrize("name", ["Bo", "bO", "  BO  ", 2])
    async def test_a_character_is_found_by_id_or_by_name_whatever_its_case(
        self, game: Table, ada: Person, name: str | int
    ) -> None:
        result = await do(game, ada, "treat", target=name)

        assert result.message.headline == "treats a wound"

    async def test_only_the_gm_can_name_a_hidden_character(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await gm_makes_hidden(game, gm, "Ogre")

        by_name = await refused(game, ada, "treat", target="Ogre")
        by_id = await refused(game, ada, "treat", target=3)
        nobody_by_name = await refused(game, ada, "treat", target="Ogra")
        nobody_by_id = await refused(game, ada, "treat", target=44)

        assert isinstance(by_name, NoSuchCharacter)
        assert by_name.what == nobody_by_name.what.replace("Ogra", "Ogre")
        assert by_id.sentences == nobody_by_id.sentences
        assert (await do(game, gm, "hurt", target="Ogre")).message.headline == "is cruel"

    async def test_a_retired_character_cannot_be_named(self, game: Table, ada: Person, bo: Person) -> None:
        await characters.retire(game, bo.asks(), "Bo")

        assert isinstance(await refused(game, ada, "treat", target="Bo"), NoSuchCharacter)
        assert isinstance(await refused(game, ada, "treat", target=2), NoSuchCharacter)

    async def test_another_servers_character_cannot_be_named(
        self, game: Table, ada: Person, neighbour: Person
    ) -> None:
        await campaigns.create(game, neighbour.asks(), "toy", "Elsewhere")
        await characters.take_ready_made(game, neighbour.asks(), "Ada", "Zoe")

        assert isinstance(await refused(game, ada, "treat", target="Zoe"), NoSuchCharacter)
        assert isinstance(await refused(game, ada, "treat", target=3), NoSuchCharacter)

    async def test_an_option_that_is_none_counts_as_not_given(self, game: Table, ada: Person) -> None:
        result = await do(game, ada, "check", bonus=None)

        assert result.rolls[0].against == "4−"

    @pytest.mark.parametrize(
        ("procedure", "given", "sentences"),
        [
            ("check", {"bonus": 6}, ("Bonus: must be at most 5.",)),
            ("check", {"bonus": -6}, ("Bonus: must be at least −5.",)),
            ("check", {"bonus": "many"}, ("Bonus: must be a whole number.",)),
            ("treat", {}, ("Target is missing.",)),
            ("wait", {"seconds": 0}, ("Seconds: must be at least 1.",)),
        ],
    )
    async def test_an_invalid_option_is_explained_in_words(
        self, game: Table, gm: Person, procedure: str, given: Mapping[str, Any], sentences: tuple[str, ...]
    ) -> None:
        await characters.take_ready_made(game, gm.asks(), "Ada", "Gwens own")

        mistake = await refused(game, gm, procedure, **given)

        assert isinstance(mistake, UserErrors)
        assert mistake.problems == sentences

    async def test_all_invalid_options_are_reported_at_once(self, game: Table, ada: Person) -> None:
        mistake = await refused(game, ada, "treat", target="Nobody", bonus=1)

        assert isinstance(mistake, UserErrors)
        assert mistake.problems == (
            "There is no character called “Nobody” here.",
            "Unknown option: Bonus.",
        )


class TestHiddenCharacters:
    @pytest.mark.parametrize(
        ("procedure", "given", "acting", "is_secret", "changes"),
        [
            ("hurt", {"target": "Ogre"}, None, False, (ChangeLine("Ogre", "Body light", "0", "1"),)),
            ("hurt", {"target": "Ogre"}, None, True, (ChangeLine("Ogre", "Body light", "0", "1"),)),
            ("check", {}, "Ogre", False, ()),
        ],
    )
    async def test_an_action_of_or_against_a_hidden_character_is_secret(
        self,
        game: Table,
        gm: Person,
        procedure: str,
        given: Mapping[str, Any],
        acting: str | None,
        is_secret: bool,
        changes: tuple[ChangeLine, ...],
    ) -> None:
        await gm_makes_hidden(game, gm, "Ogre")

        result = await play.perform(game, gm.asks(), procedure, given, acting=acting, is_secret=is_secret)

        assert not result.message.is_public
        assert result.message.changes == changes
        assert (await entries(game, gm))[0].is_secret

    async def test_a_hidden_characters_timers_run_out_without_notice(self, game: Table, gm: Person) -> None:
        await gm_makes_hidden(game, gm, "Ogre")
        for name in ("Ogre", "Bo"):
            await do(game, gm, "poison", target=name)

        result = await do(game, gm, "wait", seconds=600)

        assert result.message.notes == ("The poison reaches Bo.",)
        assert [one.follow_up.label for one in result.follow_ups] == ["Treat Bo"]
        assert {line.who for line in result.message.changes} == {"Bo"}
        ogre = await characters.sheet(game, gm.asks(), "Ogre")
        kept = await game.store.read(lambda reader: reader.character(gm.server, ogre.id))
        assert kept is not None
        assert (kept.wounds["body"], kept.timers) == (((1, 2), (0, 1)), {})

    async def test_a_private_result_is_stored_as_secret(self, game: Table, ada: Person, bo: Person) -> None:
        result = await do(game, ada, "whisper")

        assert not result.message.is_public
        assert (await entries(game, ada))[0].is_secret
        assert (await journal.entry_result(game, ada.asks(), result.entry)).message.headline == "listens"
        with pytest.raises(UserError) as theirs:
            await journal.entry_result(game, bo.asks(), result.entry)
        with pytest.raises(UserError) as nothing:
            await journal.entry_result(game, bo.asks(), EntryId(999))
        assert theirs.value.sentences == nothing.value.sentences


class TestLoweredCaps:
    async def test_a_character_above_a_new_cap_keeps_its_points_and_plays_on(
        self, game: Table, gm: Person, ada: Person
    ) -> None:
        await set_luck_cap(game, gm, 1)

        result = await do(game, ada, "train")
        spent = await do(game, ada, "spend")

        assert result.message.headline == "trains"
        assert spent.message.changes == (ChangeLine("Ada", "Luck", "2", "1"),)


async def gm_makes_hidden(table: Table, who: Person, name: str) -> None:
    await gm.make_npc(table, who.asks(), name, is_hidden=True)


async def set_luck_cap(table: Table, who: Person, cap: int) -> None:
    def unit(tx: Any) -> None:
        (campaign,) = tx.campaigns(who.server)
        tx.save_campaign(replace(campaign, settings={"game": {"luck_cap": cap}}))
        tx.add_entry(an_entry(campaign.id, "cap", server=who.server, kind="campaign.settings"))

    await table.store.run(unit)


# A game in which the careful choose how strong they are, and the bold throw a die for it.


def steps(draft: Draft, _settings: ToySettings) -> tuple[Step, ...]:
    how = Question(
        key="how", prompt="How?", choices=(Choice("dice", "by dice"), Choice("choice", "by choice"))
    )
    luck = CreationRoll(
        key="luck",
        prompt="rolls for Luck",
        label="Roll for Luck",
        rule="check",
        inputs=CheckInputs(target=6),
        answer=lambda roll: (str(roll.total),),
    )
    brawn = replace(luck, key="brawn", prompt="rolls for Brawn", label="Roll for Brawn", settles=("how",))
    by_choice = Question(key="chosen", prompt="Brawn?", choices=tuple(Choice(n, n) for n in "123456"))
    first = Step(key="how", title="How", text="Dice or choice?", picks=(how,), throws=(luck,))
    bold = draft.get("how") == ("dice",)
    second = Step(
        key="brawn",
        title="Brawn",
        text="How strong?",
        picks=() if bold else (by_choice,),
        throws=(brawn,) if bold else (),
    )
    return (first, second) if "how" in draft else (first,)


def problems(draft: Draft, _settings: ToySettings) -> tuple[Problem, ...]:
    missing = [key for key in ("luck", "how") if key not in draft]
    if not {"brawn", "chosen"} & draft.keys():
        missing.append("brawn")
    return tuple(Problem("how", f"No {key} yet.") for key in missing)


def build(draft: Draft, _settings: ToySettings) -> ToySheet:
    return ToySheet(brawn=int(draft.get("brawn", draft.get("chosen", ("1",)))[0]))


DICEY = replace(TOY, creation=Creation(steps=steps, problems=problems, build=build, npc=ToySheet))


@pytest.fixture
async def dicey(table: Table, gm: Person) -> Table:
    """A table with a campaign and nobody in it."""
    laid = replace(table, games={"toy": DICEY})
    await campaigns.create(laid, gm.asks(), "toy", "The Long Road")
    return laid


async def bold(table: Table, who: Person) -> WizardPage:
    """Start a draft whose Brawn is to be rolled."""
    page = await creation_pages.begin(table, who.asks())
    return await creation_pages.pick(table, who.asks(), page.draft, "how", ("dice",))


async def throw(table: Table, who: Person, page: WizardPage, key: str) -> creation_pages.CreationRollResult:
    return await creation_pages.throw(table, who.asks(), page.draft, key)


async def finish(table: Table, who: Person, page: WizardPage, name: str) -> Result:
    await creation_pages.write(table, who.asks(), page.draft, "name", {"name": name})
    return await creation_pages.finish(table, who.asks(), page.draft)


class TestRolling:
    async def test_a_creation_roll_is_public_and_answers_the_question(
        self, dicey: Table, ada: Person
    ) -> None:
        page = await bold(dicey, ada)

        thrown = await throw(dicey, ada, page, "brawn")

        assert thrown.result is not None
        told = thrown.result.message
        assert (told.who, told.headline, told.is_public) == ("Alice", "rolls for Brawn", True)
        (roll,) = thrown.result.rolls
        assert thrown.page.answers["brawn"] == (str(roll.total),)
        assert thrown.page.thrown["brawn"].dice == roll.dice

    async def test_a_finished_character_has_the_rolled_values_and_its_undo_gives_the_dice_back(
        self, dicey: Table, ada: Person
    ) -> None:
        page = await bold(dicey, ada)
        await throw(dicey, ada, page, "luck")
        thrown = await throw(dicey, ada, page, "brawn")

        made = await finish(dicey, ada, page, "Cy")

        view = await characters.sheet(dicey, ada.asks(), "Cy")
        assert view.sections[0].lines == (f"Brawn {thrown.page.answers['brawn'][0]}",)
        await journal.undo(dicey, ada.asks(), made.entry, is_sure=True)
        fresh = await creation_pages.begin(dicey, ada.asks())
        assert fresh.answers["brawn"] == thrown.page.answers["brawn"]

    async def test_a_strangers_press_or_one_that_no_step_offers_rolls_nothing(
        self, dicey: Table, ada: Person, bo: Person
    ) -> None:
        page = await creation_pages.begin(dicey, ada.asks())
        before = everything(dicey)

        with pytest.raises(UserError, match="doesn't roll those dice"):
            await throw(dicey, ada, page, "brawn")
        with pytest.raises(DraftGone):
            await throw(dicey, bo, page, "luck")

        assert everything(dicey) == before

    async def test_every_creation_die_can_be_verified(
        self, dicey: Table, gm: Person, ada: Person, tmp_path: Path
    ) -> None:
        page = await bold(dicey, ada)
        await throw(dicey, ada, page, "brawn")
        await throw(dicey, ada, page, "luck")
        await sessions.start(dicey, gm.asks())
        await endings.end(dicey, gm.asks())
        file = tmp_path / "journal.jsonl"
        file.write_text("".join([line async for line in export.export_lines(dicey, gm.asks())]))

        report = verify(file, {"toy": DICEY})

        assert (report.follows, report.passed, report.dice) == (True, 2, 2)


class TestOnlyOnce:
    async def test_a_second_press_shows_the_same_dice(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        first = await throw(dicey, ada, page, "brawn")
        before = everything(dicey)

        again = await throw(dicey, ada, page, "brawn")

        assert again.result is None
        assert again.page.answers == first.page.answers
        assert everything(dicey) == before

    async def test_the_same_press_twice_gets_the_same_answer(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        request = ada.asks("4711")

        first = await creation_pages.throw(dicey, request, page.draft, "brawn")
        again = await creation_pages.throw(dicey, request, page.draft, "brawn")

        assert (again.result, again.page.answers) == (first.result, first.page.answers)

    async def test_discarding_the_draft_brings_no_new_dice(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        thrown = await throw(dicey, ada, page, "brawn")
        await creation_pages.throw_away(dicey, ada.asks(), page.draft)

        fresh = await creation_pages.begin(dicey, ada.asks())

        assert fresh.draft != page.draft
        assert fresh.answers == {"how": ("dice",), "brawn": thrown.page.answers["brawn"]}
        assert (await throw(dicey, ada, fresh, "brawn")).result is None

    async def test_a_rolled_answer_cannot_be_replaced_by_a_choice(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        thrown = await throw(dicey, ada, page, "brawn")

        with pytest.raises(UserError, match="was rolled"):
            await creation_pages.pick(dicey, ada.asks(), page.draft, "how", ("choice",))

        assert thrown.page.settled == {"how"}

    async def test_the_next_character_gets_its_own_dice(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        await throw(dicey, ada, page, "luck")
        await throw(dicey, ada, page, "brawn")
        await finish(dicey, ada, page, "Cy")

        fresh = await creation_pages.begin(dicey, ada.asks())

        assert fresh.thrown == {}

    async def test_everybody_has_their_own_creation_rolls(
        self, dicey: Table, ada: Person, bo: Person
    ) -> None:
        await throw(dicey, ada, await bold(dicey, ada), "brawn")

        assert (await creation_pages.begin(dicey, bo.asks())).thrown == {}


class TestUndoneRolls:
    async def test_a_player_needs_the_gm_to_undo_a_creation_roll(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        thrown = await throw(dicey, ada, page, "brawn")
        assert thrown.result is not None

        asked = await journal.undo(dicey, ada.asks(), thrown.result.entry)

        assert isinstance(asked, journal.UndoNeedsGm)
        assert "brawn" in (await creation_pages.opened(dicey, ada.asks(), page.draft)).thrown

    async def test_a_gm_undoes_one_creation_roll_and_the_other_stands(
        self, dicey: Table, gm: Person, ada: Person
    ) -> None:
        page = await bold(dicey, ada)
        thrown = await throw(dicey, ada, page, "brawn")
        luck = await throw(dicey, ada, page, "luck")
        assert thrown.result is not None

        await journal.undo(dicey, gm.asks(), thrown.result.entry)

        page = await creation_pages.opened(dicey, ada.asks(), page.draft)
        assert page.thrown.keys() == {"luck"}
        assert page.answers["luck"] == luck.page.answers["luck"]
        assert (await throw(dicey, ada, page, "brawn")).result is not None

    async def test_a_reset_leaves_creation_rolls_alone(self, dicey: Table, gm: Person, ada: Person) -> None:
        page = await bold(dicey, ada)
        await throw(dicey, ada, page, "brawn")

        await gm_cases.reset(dicey, gm.asks())

        assert "brawn" in (await creation_pages.opened(dicey, ada.asks(), page.draft)).thrown
