"""Modules as a GM is shown them."""

from bot.table.campaigns.modules import ModuleFile, ModuleView
from bot.ui.text.reply import Picture
from cogs.gm.module import module_file_reply, module_reply
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
