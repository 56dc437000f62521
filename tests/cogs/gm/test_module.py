"""Modules as a GM is shown them."""

from dataclasses import replace

from bot.rules.kernel import Choice, Column
from bot.table.base.results import ChangeLine, EntryId, Message, Result
from bot.table.campaigns.module_lists import EntryForm, ListLine, ListsPage
from bot.table.campaigns.modules import ModuleFile, ModuleView
from bot.ui.text.reply import Field, MenuField, Picture
from cogs.gm.module import entry_form_of, lists_reply, module_file_reply, module_reply
from tests.ui.shown import shown

PLAIN = ModuleView(title="Salt*marsh*", summary=("24 skills",), hints=(), problems=())


class TestModules:
    def test_the_summary_shows_a_modules_name_and_contents(self) -> None:
        assert shown(module_reply(PLAIN)) == "private, news\n**Salt\\*marsh\\***\n24 skills"

    def test_the_summary_lists_misfits_and_unusual_entries(self) -> None:
        view = ModuleView(title="Bare", summary=(), hints=("No skills.",), problems=("Ug: no club.",))

        assert shown(module_reply(view, is_read=True)) == (
            "private, news\n"
            "The campaign now uses the module in this file.\n"
            "**Bare**\n"
            "-# These no longer fit the module, but stay as they are\n"
            "- Ug\\: no club.\n"
            "-# Worth a look\n"
            "- No skills."
        )

    def test_a_summary_with_many_lines_is_also_attached_as_a_file(self) -> None:
        view = ModuleView(
            title="Bare", summary=(), hints=(), problems=tuple(f"Ug: no thing {n}." for n in range(40))
        )

        reply = module_reply(view)

        assert reply.text.endswith("- and 28 more, all in problems.txt")
        whole = "\n".join(f"Ug: no thing {n}." for n in range(40))
        assert reply.files == (Picture("problems.txt", whole.encode()),)

    def test_a_summary_with_very_long_lines_is_also_attached_as_a_file(self) -> None:
        view = ModuleView(title="Bare", summary=(), hints=("w" * 1400, "x" * 200), problems=())

        assert "- and 1 more, all in hints.txt" in module_reply(view).text

    def test_an_exported_module_is_sent_as_a_file(self) -> None:
        reply = module_file_reply(ModuleFile("toy-module.toml", "Plain", b'name = "x"\n'))

        assert reply.files == (Picture("toy-module.toml", b'name = "x"\n'),)
        assert reply.is_private


HOME = ListsPage(
    campaign=7,
    campaign_name="The *Manor*",
    title="Lists",
    lines=(ListLine(mark="skills", name="Skills", about="2 entries"),),
    misfits=1,
)
SKILLS = ListsPage(
    campaign=7,
    campaign_name="The Manor",
    title="Skills",
    noun="skill",
    key="skills",
    lines=(ListLine(mark="a1", name="Sailing", about="DEX"), ListLine(mark="b2", name="Chess")),
    count=27,
    pages=2,
)
SAILING = replace(SKILLS, entry=SKILLS.lines[0], fields=(("Name", "Sailing"), ("What it does", "")))


def test_all_lists_are_in_a_menu_with_their_length_and_what_does_not_fit() -> None:
    assert shown(lists_reply(HOME)) == (
        "private, board\n"
        "### Lists\n-# The \\*Manor\\*\n"
        "-# 1 thing on characters' sheets isn't in the module now, and stays: /gm module show\n"
        "Add, change or remove what your players choose from.\n"
        "<Open a list … 1..1: Skills (2 entries)>\n"
        "[Settings]"
    )


def test_a_list_offers_its_entries_by_the_page() -> None:
    assert shown(lists_reply(SKILLS)) == (
        "private, board\n"
        "### Skills\n-# The Manor\n"
        "27 in this list · page 1 of 2.\n"
        "<Open one … 1..1: Sailing (DEX) / Chess>\n"
        "[+Add …] [Next page] [Lists]"
    )


def test_an_entry_shows_its_fields_and_what_can_be_done_with_it() -> None:
    assert shown(lists_reply(SAILING)) == (
        "private, board\n"
        "### Skills: Sailing\n-# The Manor\n"
        "**Name:** Sailing\n**What it does:** –\n"
        "[!Change …] [xRemove] [Back]"
    )


def test_an_empty_list_has_no_menu() -> None:
    assert "<" not in shown(lists_reply(replace(SKILLS, lines=(), count=0, pages=1)))


def test_what_was_done_is_told_with_its_undo() -> None:
    line = ChangeLine("The Manor", "Cost", "3", "4")
    told = Message(who="Gwen", headline="changes Sea Legs (Traits)", changes=(line,))

    reply = lists_reply(replace(SKILLS, misfits=2), Result(entry=EntryId(9), message=told))

    assert "Changed Sea Legs \\(Traits\\)\nCost: 3 → **4**  [Undo]" in shown(reply)
    assert "2 things on characters' sheets" in shown(reply)


def test_a_form_has_a_field_or_a_menu_for_each_column() -> None:
    kind = Column(key="kind", title="Kind", choices=(Choice("gift", "Gift"),))
    about = Column(key="about", title="What it does", longest=600, is_required=False)
    asked = EntryForm(noun="trait", columns=((kind, ("gift",)), (about, ())))

    form = entry_form_of(7, "traits", 1, "a1", asked)

    assert (form.id, form.title) == ("list:1:7:put:traits:1:a1", "Change a trait")
    assert form.fields == (
        MenuField(key="kind", label="Kind", choices=kind.choices, chosen=("gift",)),
        Field(key="about", label="What it does", longest=600, is_required=False, is_long=True),
    )
    assert entry_form_of(7, "traits", 1, None, asked).title == "Add a trait"
    item = replace(asked, noun="item")
    assert entry_form_of(7, "gear", 1, None, item).title == "Add an item"
