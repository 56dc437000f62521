"""A campaign's own skills and rules as a file."""

import pytest

from bot.rules.kernel import FileKind, read_written, write_document
from bot.rules.kernel.errors import UserErrors
from bot.rules.swim_class.gm import MODULE, module_problems
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import book_of
from tests.rules.swim_class.play import GameTable, lay_table, sheet, solo, words

pytestmark = pytest.mark.rule("SWIM-CHAR-07")


def campaign() -> GameTable:
    table = lay_table()
    table.settings(world="Neon", sp_per_gp=20, wheel_order="fire, wind, life, earth, death, water")
    table.do("GM", "add_skill", name="Fast Talk", synergies="Finesse: 3", opposed="Spot", note="T4: a lie")
    table.do("GM", "add_skill", name="Surgery", requires="Fast Talk", rank=2, special=11)
    table.do("GM", "add_synergy", one="swim", other="jump", degree=1)
    return table


def settings_in(table: GameTable) -> SwimSettings:
    assert isinstance(table.scene.settings, SwimSettings)
    return table.scene.settings


@pytest.mark.parametrize("kind", list(FileKind))
def test_a_campaigns_own_rules_are_written_to_a_file_and_read_back(kind: FileKind) -> None:
    settings = settings_in(campaign())

    assert read_written(write_document(settings, kind), kind, MODULE.form) == settings
    assert MODULE.title(settings) == "Neon"
    assert MODULE.summary(settings) == (
        "2 own skills: Fast Talk, Surgery",
        "2 own synergies",
        "Changed settings: sp_per_gp, wheel_order",
    )


def test_a_campaign_can_go_back_to_the_rules_of_the_book() -> None:
    settings = settings_in(campaign())

    assert MODULE.choosing(settings, "book") == SwimSettings()
    assert MODULE.title(SwimSettings()) == "As in the book"
    assert MODULE.title(SwimSettings(sp_per_gp=12)) == "The campaign's own"
    assert MODULE.carrying(SwimSettings(), settings) == MODULE.carried(settings) == settings


def test_every_contradiction_in_a_rules_file_is_reported_with_its_line() -> None:
    text = """
skills = [
  { key = "fast talk", name = "Fast Talk" },
  { key = "surgery", name = "Surgery", requires = [{ skill = "medicine", rank = 2 }] },
  { key = "surgery", name = "Surgery", opposed_by = ["luck"] },
]
synergies = [
  { one = "surgery", other = "alchemy", degree = 2 },
  { one = "spot", other = "spot", degree = 2 },
  { one = "throw", other = "brawn", degree = 2 },
]
"""
    with pytest.raises(UserErrors) as told:
        read_written(text, FileKind.TOML, MODULE.form)

    assert told.value.problems == (
        "Line 3: “fast talk” isn't a valid key. Write keys like fast_talk.",
        "Line 4: Surgery: there is no skill medicine.",
        "Line 5: There are two skills with the key surgery.",
        "Line 5: Surgery: there is no skill luck.",
        "Line 8: There is no skill alchemy.",
        "Line 9: spot can't have synergy with itself.",
        "Line 10: throw and brawn already have a synergy.",
    )


def test_a_campaign_may_replace_a_skill_of_the_book() -> None:
    text = '[[skills]]\nkey = "pick_lock"\nname = "Locks"\ndefault = 1\n'
    settings = read_written(text, FileKind.TOML, MODULE.form)
    table = lay_table()
    table.settings(**settings.model_dump())

    assert MODULE.hints(settings) == ("Locks replaces the book's Pick Lock.",)
    assert words(table.do("Ash", "roll", "4", skill="locks", difficulty=4)) == "1 progress"


def test_ranks_in_skills_the_campaign_no_longer_has_stay_on_the_sheet_and_are_reported() -> None:
    table = solo({"hacking": 2, "hacking:ice": 1, "spot": 2})
    held = table.sheet("Ash")

    assert [problem.sentence for problem in module_problems(held, SwimSettings())] == [
        "There is no skill hacking in this campaign.",
        "There is no skill hacking:ice in this campaign.",
    ]
    assert table.do("Ash", "synergy", skill="spot").headline == "looks at Spot 2"
    assert table.why("Ash", "roll", skill="hacking").startswith("There is no skill “hacking”")


def test_synergies_with_skills_that_are_gone_do_nothing() -> None:
    table = solo({"spot": 3})
    table.settings(synergies='[{"one": "spot", "other": "hacking", "degree": 0}]')
    table.do("Ash", "roll", "5 5 5", skill="spot", difficulty=4)

    assert table.rank("Ash", "spot") == 4


def test_an_added_skill_may_have_a_note_a_counter_and_no_specialisations() -> None:
    table = campaign()

    assert table.do("Ash", "synergy", skill="fast talk").notes == (
        "T4: a lie",
        "Finesse 1: synergy degree 3, at least 0",
    )
    assert table.why("Ash", "specialise", skill="surgery", tag="hand") == "Surgery can't be specialized."
    assert [skill.opposed_by for skill in settings_in(table).skills] == [("spot",), ()]
    assert sheet({"fast_talk": 2}).ranks["fast_talk"] == 2


def test_a_skill_with_a_colon_and_nothing_behind_it_is_the_skill() -> None:
    book = book_of(SwimSettings())

    assert (book.find("Craft:"), book.find("Craft: Bows")) == ("craft", "craft:bows")
