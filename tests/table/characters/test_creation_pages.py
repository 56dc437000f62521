"""Character creation step by step."""

import asyncio
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Choice, Creation, Draft, Problem, Question, Step, TextField
from bot.rules.kernel.errors import UserError, UserErrors
from bot.table.base.table import Table
from bot.table.campaigns import campaigns
from bot.table.characters import characters, creation_pages
from bot.table.characters.creation_pages import DraftGone, WizardPage
from bot.table.journal import journal
from tests.databases import address_of, on_both_engines, opened
from tests.table.conftest import Person
from tests.table.counting import everything
from tests.table.toy import TOY
from tests.table.toy_module import Gear, ToySettings, ToySheet

# A game in which the second step depends on the first: the strong choose how many ropes they carry.


def steps(draft: Draft, _settings: ToySettings) -> tuple[Step, ...]:
    brawn = Question(key="brawn", prompt="How strong?", choices=tuple(Choice(n, n) for n in "123456"))
    first = Step(key="body", title="Body", text="How strong?", picks=(brawn,))
    ropes = tuple(Choice(n, f"{n} ropes") for n in "0123456789"[: 1 + int(draft.get("brawn", ("0",))[0])])
    rope = Question(key="rope", prompt="How many ropes?", choices=ropes)
    motto = TextField(key="motto", prompt="What do they say?", longest=40, is_required=False)
    gear = Step(key="gear", title="Gear", text="What do they carry?", picks=(rope,), blanks=(motto,))
    return (first, gear) if "brawn" in draft else (first,)


def problems(draft: Draft, settings: ToySettings) -> tuple[Problem, ...]:
    found = []
    if "brawn" not in draft:
        found.append(Problem("body", "Brawn is missing."))
    elif int(draft.get("rope", ("0",))[0]) > int(draft["brawn"][0]):
        found.append(Problem("gear", "So many ropes are too heavy."))
    if "rope" not in draft:
        found.append(Problem("gear", "Ropes are missing."))
    return tuple(found)


def build(draft: Mapping[str, tuple[str, ...]], _settings: ToySettings) -> ToySheet:
    motto = "".join(draft.get("motto", ()))
    return ToySheet(brawn=int(draft["brawn"][0]), gear=Gear(rope=int(draft["rope"][0]), motto=motto))


GUIDED = replace(TOY, creation=Creation(steps=steps, problems=problems, build=build, npc=ToySheet))


@pytest.fixture
async def guided(table: Table, gm: Person) -> Table:
    """A table with a campaign and nobody in it."""
    laid = replace(table, games={"toy": GUIDED})
    await campaigns.create(laid, gm.asks(), "toy", "The Long Road")
    return laid


async def pick(table: Table, who: Person, page: WizardPage, key: str, *values: str) -> WizardPage:
    return await creation_pages.pick(table, who.asks(), page.draft, key, values)


async def write(table: Table, who: Person, page: WizardPage, step: str, **fields: str) -> WizardPage:
    return await creation_pages.write(table, who.asks(), page.draft, step, fields)


async def finished_draft(table: Table, who: Person, name: str = "Cy") -> WizardPage:
    page = await creation_pages.begin(table, who.asks())
    await pick(table, who, page, "brawn", "4")
    await pick(table, who, page, "rope", "2")
    return await write(table, who, page, "name", name=name)


class TestGuided:
    async def test_a_new_draft_opens_on_the_first_step_and_lists_what_is_missing(
        self, guided: Table, ada: Person
    ) -> None:
        page = await creation_pages.begin(guided, ada.asks())

        assert (page.step.key, page.number, [key for key, _ in page.steps]) == ("body", 1, ["body", "name"])
        assert page.problems == (
            ("body", "Brawn is missing."),
            ("gear", "Ropes are missing."),
            ("name", "Enter a name."),
        )
        assert page.preview == ()

    async def test_an_answer_opens_the_questions_that_depend_on_it(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())

        page = await pick(guided, ada, page, "brawn", "2")
        page = await creation_pages.turn(guided, ada.asks(), page.draft, "gear")

        assert (page.beside(-1), page.step.key, page.beside(1)) == ("body", "gear", "name")
        assert [choice.value for choice in page.step.picks[0].choices] == ["0", "1", "2"]

    async def test_answers_that_no_longer_fit_are_removed_and_named(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())
        await pick(guided, ada, page, "brawn", "6")
        await pick(guided, ada, page, "rope", "6")

        page = await pick(guided, ada, page, "brawn", "1")

        assert page.gone == ("How many ropes? 6 ropes no longer fits and was removed.",)
        assert "rope" not in page.answers
        assert ("gear", "Ropes are missing.") in page.problems
        assert (await creation_pages.opened(guided, ada.asks(), page.draft)).gone == ()

    async def test_the_sheet_is_shown_once_only_the_name_is_missing(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())
        await pick(guided, ada, page, "brawn", "4")

        page = await pick(guided, ada, page, "rope", "0")

        assert page.preview[0].lines == ("Brawn 4",)

    async def test_typed_answers_are_cleaned_and_an_empty_field_clears_its_answer(
        self, guided: Table, ada: Person
    ) -> None:
        page = await creation_pages.begin(guided, ada.asks())
        await pick(guided, ada, page, "brawn", "4")

        written = await write(guided, ada, page, "gear", motto=" no\npain \u202e" + "x" * 100)
        emptied = await write(guided, ada, page, "gear", motto="  ")

        assert written.answers["motto"] == ("no pain " + "x" * 32,)
        assert "motto" not in emptied.answers

    async def test_a_finished_character_is_played_from_now_on(self, guided: Table, ada: Person) -> None:
        page = await finished_draft(guided, ada)

        result = await creation_pages.finish(guided, ada.asks(), page.draft)

        assert (result.message.who, result.message.headline) == ("Cy", "joins the campaign")
        assert [(one.name, one.is_current) for one in await characters.listing(guided, ada.asks())] == [
            ("Cy", True)
        ]


class TestUnfinished:
    async def test_all_problems_of_a_draft_are_reported_at_once(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())
        before = everything(guided)

        with pytest.raises(UserErrors) as told:
            await creation_pages.finish(guided, ada.asks(), page.draft)

        assert told.value.problems == (
            "Brawn is missing.",
            "Ropes are missing.",
            "Enter a name.",
        )
        assert everything(guided) == before

    @on_both_engines
    async def test_a_draft_survives_a_restart(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())
        await pick(guided, ada, page, "brawn", "4")
        await guided.store.close()

        async with opened(address_of(guided.store)) as store:
            page = await creation_pages.begin(replace(guided, store=store), ada.asks())

        assert page.answers == {"brawn": ("4",)}

    async def test_everybody_has_their_own_draft(self, guided: Table, ada: Person, bo: Person) -> None:
        hers = await creation_pages.begin(guided, ada.asks())
        his = await creation_pages.begin(guided, bo.asks())

        assert hers.draft != his.draft
        assert (await creation_pages.begin(guided, ada.asks())).draft == hers.draft

    async def test_another_persons_draft_cannot_be_used(
        self, guided: Table, gm: Person, ada: Person, neighbour: Person
    ) -> None:
        page = await finished_draft(guided, ada)
        before = everything(guided)

        for somebody in (gm, neighbour):
            for attempt in (
                creation_pages.opened(guided, somebody.asks(), page.draft),
                creation_pages.turn(guided, somebody.asks(), page.draft, "body"),
                creation_pages.pick(guided, somebody.asks(), page.draft, "brawn", ("1",)),
                creation_pages.write(guided, somebody.asks(), page.draft, "name", {"name": "Mine"}),
                creation_pages.throw_away(guided, somebody.asks(), page.draft),
                creation_pages.finish(guided, somebody.asks(), page.draft),
            ):
                with pytest.raises(DraftGone):
                    await attempt

        assert everything(guided) == before

    async def test_a_discarded_draft_is_gone(self, guided: Table, ada: Person) -> None:
        page = await finished_draft(guided, ada)

        await creation_pages.throw_away(guided, ada.asks(), page.draft)

        with pytest.raises(DraftGone):
            await creation_pages.opened(guided, ada.asks(), page.draft)
        assert (await creation_pages.begin(guided, ada.asks())).answers == {}

    async def test_a_draft_in_an_archived_campaign_cannot_be_used(
        self, guided: Table, gm: Person, ada: Person
    ) -> None:
        page = await finished_draft(guided, ada)
        await campaigns.archive(guided, gm.asks(), "The Long Road")

        with pytest.raises(DraftGone):
            await creation_pages.finish(guided, ada.asks(), page.draft)


class TestFinishing:
    async def test_a_finished_draft_is_gone(self, guided: Table, ada: Person) -> None:
        page = await finished_draft(guided, ada)

        await creation_pages.finish(guided, ada.asks(), page.draft)

        with pytest.raises(DraftGone):
            await creation_pages.finish(guided, ada.asks(), page.draft)

    async def test_finishing_a_draft_twice_at_once_makes_one_character(
        self, guided: Table, ada: Person
    ) -> None:
        page = await finished_draft(guided, ada)

        answers = await asyncio.gather(
            *(creation_pages.finish(guided, ada.asks(), page.draft) for _ in range(3)), return_exceptions=True
        )

        assert sorted(type(answer).__name__ for answer in answers) == ["DraftGone", "DraftGone", "Result"]

    async def test_a_draft_whose_name_was_taken_meanwhile_is_not_finished(
        self, guided: Table, ada: Person, bo: Person
    ) -> None:
        hers = await finished_draft(guided, ada, "Cy")
        his = await finished_draft(guided, bo, "CY")
        await creation_pages.finish(guided, bo.asks(), his.draft)

        with pytest.raises(UserErrors) as told:
            await creation_pages.finish(guided, ada.asks(), hers.draft)

        assert told.value.problems == ("The name Cy is already taken in this campaign.",)

    async def test_a_finished_character_can_be_undone(self, guided: Table, ada: Person) -> None:
        page = await finished_draft(guided, ada)
        made = await creation_pages.finish(guided, ada.asks(), page.draft)

        await journal.undo(guided, ada.asks(), made.entry, is_sure=True)

        assert await characters.listing(guided, ada.asks()) == []


MANY = tuple(Choice(f"k{n}", f"Knack {n}") for n in range(60))
KNACKS = Question(
    key="knacks", prompt="Which knacks?", choices=MANY, least=0, most=3, barred={"k2": "Too costly."}
)
TITLE = Question(key="title", prompt="Which title?", choices=MANY)


@pytest.fixture
async def knacky(guided: Table) -> Table:
    """A table with a game that has many choices."""
    step = Step(key="knacks", title="Knacks", text="Which?", picks=(KNACKS, TITLE))
    made = Creation(steps=lambda _draft, _settings: (step,), problems=problems, build=build, npc=ToySheet)
    return replace(guided, games={"toy": replace(TOY, creation=made)})


class TestManyChoices:
    async def test_choices_in_another_menu_of_a_question_stay(self, knacky: Table, ada: Person) -> None:
        page = await creation_pages.begin(knacky, ada.asks())
        await creation_pages.pick(knacky, ada.asks(), page.draft, "knacks", ("k55",), 2)

        page = await creation_pages.pick(knacky, ada.asks(), page.draft, "knacks", ("k1", "k3"), 0)

        assert page.answers["knacks"] == ("k55", "k1", "k3")

    async def test_too_many_choices_are_refused_by_name(self, knacky: Table, ada: Person) -> None:
        page = await creation_pages.begin(knacky, ada.asks())
        await creation_pages.pick(knacky, ada.asks(), page.draft, "knacks", ("k55", "k56"), 2)

        with pytest.raises(UserError, match="that would make 4") as refused:
            await creation_pages.pick(knacky, ada.asks(), page.draft, "knacks", ("k1", "k3"), 0)

        assert "Knack 55, Knack 56" in refused.value.allowed

    async def test_a_single_answer_is_the_last_choice_in_any_menu(self, knacky: Table, ada: Person) -> None:
        page = await creation_pages.begin(knacky, ada.asks())
        await creation_pages.pick(knacky, ada.asks(), page.draft, "title", ("k55",), 2)

        page = await creation_pages.pick(knacky, ada.asks(), page.draft, "title", ("k1",), 0)

        assert page.answers["title"] == ("k1",)

    @pytest.mark.parametrize(("value", "leaf"), [("k30", 0), ("k1", 1), ("k1", 3), ("k1", 2**62)])
    async def test_a_menu_offers_only_its_own_choices(
        self, knacky: Table, ada: Person, value: str, leaf: int
    ) -> None:
        page = await creation_pages.begin(knacky, ada.asks())

        with pytest.raises(UserError, match=r"any more|no longer"):
            await creation_pages.pick(knacky, ada.asks(), page.draft, "knacks", (value,), leaf)

    async def test_a_barred_choice_is_refused_with_the_reason(self, knacky: Table, ada: Person) -> None:
        page = await creation_pages.begin(knacky, ada.asks())
        before = everything(knacky)

        with pytest.raises(UserError, match="Too costly"):
            await creation_pages.pick(knacky, ada.asks(), page.draft, "knacks", ("k1", "k2"), 0)

        assert everything(knacky) == before


class TestStaleAnswers:
    @pytest.mark.parametrize(
        ("key", "values"),
        [
            ("brawn", ("7",)),
            ("brawn", ()),
            ("brawn", ("1", "2")),
            ("rope", ("5",)),
            ("wings", ("2",)),
        ],
    )
    async def test_a_choice_that_is_no_longer_offered_is_refused(
        self, guided: Table, ada: Person, key: str, values: tuple[str, ...]
    ) -> None:
        page = await creation_pages.begin(guided, ada.asks())
        await pick(guided, ada, page, "brawn", "2")
        before = everything(guided)

        with pytest.raises(UserError, match=r"any more|no longer"):
            await pick(guided, ada, page, key, *values)

        assert everything(guided) == before

    async def test_a_form_of_a_step_that_is_gone_is_refused(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())

        with pytest.raises(UserError, match=r"any more|no longer"):
            await write(guided, ada, page, "gear", motto="no pain")

    async def test_opening_a_step_that_is_gone_opens_the_first(self, guided: Table, ada: Person) -> None:
        page = await creation_pages.begin(guided, ada.asks())

        assert (await creation_pages.turn(guided, ada.asks(), page.draft, "gear")).step.key == "body"


async def test_a_character_cannot_be_started_without_a_campaign(table: Table, ada: Person) -> None:
    with pytest.raises(UserError, match="no campaign"):
        await creation_pages.begin(table, ada.asks())


async def test_f_all_21_a_step_with_answers_that_do_not_fit_is_not_left_for_a_later_one(
    guided: Table, ada: Person
) -> None:
    page = await creation_pages.begin(guided, ada.asks())
    page = await creation_pages.turn(guided, ada.asks(), page.draft, "name")
    assert page.step.key == "name"  # nothing is answered yet, so one may look ahead

    await pick(guided, ada, page, "brawn", "2")
    page = await creation_pages.turn(guided, ada.asks(), page.draft, "gear")
    page = await write(guided, ada, page, "gear", motto="Onwards")
    page = await creation_pages.turn(guided, ada.asks(), page.draft, "name")
    assert page.step.key == "gear"
    assert page.gone == ("Ropes are missing.",)
    assert ("gear", "Ropes are missing.") in page.problems

    page = await creation_pages.turn(guided, ada.asks(), page.draft, "body")
    assert page.step.key == "body"
    page = await creation_pages.turn(guided, ada.asks(), page.draft, "gear")
    await pick(guided, ada, page, "rope", "1")
    page = await creation_pages.turn(guided, ada.asks(), page.draft, "name")
    assert page.step.key == "name"
