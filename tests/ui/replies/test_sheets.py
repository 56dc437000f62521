"""Sheets, lists and the wizard, as they stand on a phone."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel import Choice, Gauge, Glance, Question, Section, Step, TextField
from bot.table.characters.characters import Listed, SheetView
from bot.table.characters.creation_pages import WizardPage
from bot.ui.input.presses import press_id
from bot.ui.replies.sheets import PAGE_CHARACTERS, blanks_form, page_reply, sheet_reply
from bot.ui.text.reply import Button, Field
from bot.ui.text.sheet_pictures import MOST_GAUGES
from cogs.character import listing_reply
from tests.ui.shown import shown

VIEW = SheetView(
    id=3,
    name="Ada *the* Bold",
    game="Toy Game",
    owner=2,
    sections=(Section("Body", ("Brawn 4", "- Luck_ 2")), Section("Gear", ("2 ropes",))),
)

BODY = Step(
    key="body",
    title="Body",
    text="How strong?",
    picks=(Question(key="brawn", prompt="Brawn", choices=(Choice("3", "3"), Choice("4", "4", "strong"))),),
)
NAME = Step(
    key="name",
    title="Name",
    text="Look it over.",
    blanks=(TextField(key="name", prompt="What is it called?"),),
    writes="Enter a name",
)
PAGE = WizardPage(
    draft=9,
    game="Toy Game",
    steps=(("body", "Body"), ("name", "Name")),
    step=BODY,
    answers={},
    problems=(("body", "Brawn is missing."), ("name", "Your character has no name yet.")),
)


class TestASheet:
    def test_a_sheet_is_a_private_board(self) -> None:
        assert shown(sheet_reply(VIEW)) == (
            "private, board\n"
            "(sheet.webp: Ada *the* Bold)\n"
            "### Ada \\*the\\* Bold\n-# Toy Game · played by <@2>\n"
            "**Body**\nBrawn 4\n\\- Luck\\_ 2\n**Gear**\n2 ropes"
        )

    def test_what_the_picture_says_the_text_does_not_repeat(self) -> None:
        counts = Section("Counts", ("HP 3/4", "Movement 2"), pictured=("HP 3/4",))
        whole = Section("Wounds", ("Blunt 1/7",), pictured=("Blunt 1/7",))
        few = replace(VIEW, sections=(counts, whole), glance=Glance((Gauge.of("HP", 3, 4),)))
        many = replace(few, glance=Glance(few.glance.gauges * (MOST_GAUGES + 1)))  # not all are drawn

        assert shown(sheet_reply(few)).endswith("<@2>\n**Counts**\nMovement 2")
        assert shown(sheet_reply(many)).endswith("**Counts**\nHP 3/4\nMovement 2\n**Wounds**\nBlunt 1/7")

    def test_an_npcs_sheet_is_marked_as_the_gms(self) -> None:
        assert "-# Toy Game · GM character" in shown(sheet_reply(replace(VIEW, owner=None)))

    def test_a_long_sheet_continues_on_the_next_page_and_loses_nothing(self) -> None:
        lines = tuple(f"Ability {number} " + "x" * 80 for number in range(60))
        view = replace(VIEW, sections=(Section("Abilities", lines),))

        pages = [shown(sheet_reply(view, page)) for page in range(9)]

        assert all(any(line in page for page in pages) for line in lines)
        assert pages[0].splitlines()[-1] == "[Next page · 1 of 9]"

    def test_the_next_page_button_leads_through_all_pages_and_back_to_the_first(self) -> None:
        lines = tuple(f"Ability {number} " + "x" * 80 for number in range(60))
        view = replace(VIEW, sections=(Section("Abilities", lines),))

        leads_to = [sheet_reply(view, page).blocks[-1] for page in range(9)]

        assert leads_to == [
            (Button(id=press_id("sheet", VIEW.id, following), label=f"Next page · {page + 1} of 9"),)
            for page, following in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 0))
        ]

    def test_each_page_is_a_phone_screen_with_a_button_of_its_own(self) -> None:
        sections = (
            Section("Body", ("Brawn 4",) * 12),
            Section("Luck", ("two left",) * 6),
            Section("Skills", tuple(f"Skill {number}" for number in range(30))),
            Section("Gear", ("a rope",)),
        )
        view = replace(VIEW, sections=sections)

        first, second, third = (shown(sheet_reply(view, page)) for page in range(3))

        assert "**Luck**" in first
        assert first.splitlines()[-1] == "[Body (off)] [Skills] [Skills 2]"
        assert second.splitlines()[-1] == "[Body] [Skills (off)] [Skills 2]"
        assert "**Gear**" in third

    def test_a_page_beyond_the_end_shows_the_last_page(self) -> None:
        assert shown(sheet_reply(VIEW, 99)) == shown(sheet_reply(VIEW, 0))

    def test_an_empty_sheet_still_shows_some_text(self) -> None:
        assert shown(sheet_reply(replace(VIEW, sections=()))).endswith("<@2>\n–")

    @given(lines=st.lists(st.text(max_size=3000), max_size=12))
    def test_no_page_is_longer_than_a_phone_takes(self, lines: list[str]) -> None:
        reply = sheet_reply(replace(VIEW, sections=(Section("Notes", tuple(lines)),)))

        assert len(str(reply.blocks[2])) <= PAGE_CHARACTERS


class TestTheList:
    def test_the_list_shows_whose_each_character_is(self) -> None:
        listed = [
            Listed(name="Ada", owner=2, is_current=True, is_hidden=False),
            Listed(name="Ogre", owner=None, is_current=False, is_hidden=True),
        ]

        assert shown(listing_reply(listed)) == (
            "private, board\n**Characters**\nAda · <@2> · your current character\n"
            "Ogre · GM character · hidden"
        )

    def test_an_empty_list_says_how_to_make_a_character(self) -> None:
        assert (
            listing_reply([]).text == "**Characters**\nNobody yet. Make a character with /character create."
        )

    def test_more_than_twenty_characters_take_another_page(self) -> None:
        listed = [
            Listed(name=f"A{number}", owner=2, is_current=False, is_hidden=False) for number in range(21)
        ]

        assert shown(listing_reply(listed)).splitlines()[-1] == "[Next page · 1 of 2]"
        assert shown(listing_reply(listed, 1)).splitlines()[-2:] == [
            "A20 · <@2>",
            "[Next page · 2 of 2]",
        ]


class TestTheWizard:
    def test_the_wizards_first_page_shows_no_problems(self) -> None:
        assert shown(page_reply(PAGE)) == (
            "private, board\n"
            "**Body** · new character, Toy Game · 1 of 2\nHow strong?\n"
            "<Brawn 1..1: 3 / 4 (strong)>\n"
            "----\n"
            "[!Next]\n----\n[xDiscard]"
        )

    def test_a_wizard_whose_pages_depend_on_the_answers_says_no_total(self) -> None:
        text = shown(page_reply(replace(PAGE, varies=True)))

        assert "**Body** · new character, Toy Game · page 1\n" in text

    def test_f_all_21_the_wizards_last_page_lists_what_is_missing_with_ways_there(self) -> None:
        page = replace(PAGE, step=NAME, answers={"name": ("Ada",)}, problems=PAGE.problems[:1])

        assert shown(page_reply(page)) == (
            "private, board\n"
            "**Name** · new character · 2 of 2\nLook it over.\n"
            "What is it called? **Ada**\n"
            "----\n"
            "Still to do:\nBody: Brawn is missing.  [Go there]\n"
            "----\n"
            "[Back] [Enter a name] [+Finish (off)]\n----\n[xDiscard]"
        )

    def test_a_complete_draft_shows_the_sheet_and_can_be_finished(self) -> None:
        page = replace(
            PAGE,
            step=NAME,
            answers={"name": ("Ada",)},
            problems=(),
            preview=(Section("Body", ("Brawn 4",)),),
        )

        assert shown(page_reply(page)).endswith(
            "----\n**Body**\nBrawn 4\n----\n[Back] [Enter a name] [+Finish]\n----\n[xDiscard]"
        )

    def test_a_very_long_answer_in_the_wizard_is_cut(self) -> None:
        page = replace(PAGE, step=NAME, answers={"name": ("x" * 4000,)})

        assert len(str(page_reply(page).blocks[1])) < 400

    def test_the_wizards_form_contains_the_earlier_text(self) -> None:
        form = blanks_form(replace(PAGE, step=NAME, answers={"name": ("Ada",)}))

        assert (form.id, form.title) == ("draft:1:9:wrote:name", "Name")
        assert form.fields == (Field(key="name", label="What is it called?", value="Ada"),)
