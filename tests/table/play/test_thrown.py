"""Creation rolls: made only once, so nobody can fish for better ones."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.rules.kernel import Choice, Creation, CreationRoll, Draft, Problem, Question, Step
from bot.rules.kernel.errors import UserError
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, creation_pages
from bot.table.characters.creation_pages import DraftGone, WizardPage
from bot.table.gm import gm as gm_cases
from bot.table.journal import journal
from bot.table.journal import verify as export
from bot.table.journal.verify import verify
from bot.table.sessions import endings, sessions
from tests.table.conftest import Person
from tests.table.toy import TOY
from tests.table.toy_check import CheckInputs
from tests.table.toy_module import ToySettings, ToySheet
from tests.table.whole import everything

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

    async def test_the_finished_character_has_the_rolled_values(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        await throw(dicey, ada, page, "luck")
        thrown = await throw(dicey, ada, page, "brawn")

        await finish(dicey, ada, page, "Cy")

        view = await characters.sheet(dicey, ada.asks(), "Cy")
        assert view.sections[0].lines == (f"Brawn {thrown.page.answers['brawn'][0]}",)

    async def test_a_roll_that_no_step_offers_is_refused(self, dicey: Table, ada: Person) -> None:
        page = await creation_pages.begin(dicey, ada.asks())
        before = everything(dicey)

        with pytest.raises(UserError, match="doesn't roll those dice"):
            await throw(dicey, ada, page, "brawn")

        assert everything(dicey) == before

    async def test_a_strangers_press_rolls_nothing(self, dicey: Table, ada: Person, bo: Person) -> None:
        page = await bold(dicey, ada)
        before = everything(dicey)

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

    async def test_undoing_a_finished_character_gives_its_dice_back(self, dicey: Table, ada: Person) -> None:
        page = await bold(dicey, ada)
        await throw(dicey, ada, page, "luck")
        thrown = await throw(dicey, ada, page, "brawn")
        made = await finish(dicey, ada, page, "Cy")

        await journal.undo(dicey, ada.asks(), made.entry, is_sure=True)

        fresh = await creation_pages.begin(dicey, ada.asks())
        assert fresh.answers["brawn"] == thrown.page.answers["brawn"]

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
