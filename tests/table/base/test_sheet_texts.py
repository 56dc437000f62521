"""What sheets say is worked out again only once something in them changes."""

from dataclasses import replace

from bot.rules.kernel import Character, CharacterId, Section
from bot.rules.kernel.outcome import Document
from bot.store.records import ServerId
from bot.table.base.table import MOST_KEPT, SheetCache
from tests.table.toy import TOY
from tests.table.toy_module import ToySettings, ToySheet

HERE = ServerId(1)


class Describing:
    """A game whose descriptions are counted."""

    def __init__(self) -> None:
        self.described: list[str] = []
        self.game = replace(TOY, describe=self._describe)
        self.cache = SheetCache()

    def _describe(self, character: Character, _settings: Document) -> tuple[Section, ...]:
        self.described.append(character.name)
        return (Section(character.name, (f"Pluck {character.resources.get('pluck', 0)}",)),)

    def line(self, character: Character, settings: Document, server: ServerId = HERE) -> str:
        """Return what the sheet says."""
        return self.cache.texts(self.game, server, character, settings).sections[0].lines[0]


ADA = Character(id=CharacterId(1), name="Ada", owner=None, sheet=ToySheet(), resources={"pluck": 2})


def test_an_unchanged_sheet_is_described_once() -> None:
    describing = Describing()

    lines = [describing.line(replace(ADA), ToySettings()) for _ in range(3)]

    assert lines == ["Pluck 2"] * 3
    assert describing.described == ["Ada"]


def test_a_changed_sheet_and_changed_settings_are_described_anew() -> None:
    describing = Describing()

    describing.line(ADA, ToySettings())
    changed = describing.line(ADA.with_resource("pluck", 1), ToySettings())
    describing.line(ADA, ToySettings(is_grim=True))

    assert changed == "Pluck 1"
    assert len(describing.described) == 3


def test_two_servers_characters_of_one_number_are_told_apart() -> None:
    describing = Describing()

    here = describing.line(ADA, ToySettings())
    there = describing.line(ADA.with_resource("pluck", 9), ToySettings(), ServerId(2))

    assert (here, there, describing.line(ADA, ToySettings())) == ("Pluck 2", "Pluck 9", "Pluck 2")
    assert len(describing.described) == 2


def test_the_sheet_read_longest_ago_is_forgotten() -> None:
    describing = Describing()

    for number in range(MOST_KEPT + 1):
        describing.line(replace(ADA, id=CharacterId(number)), ToySettings())
    describing.line(replace(ADA, id=CharacterId(MOST_KEPT)), ToySettings())
    describing.line(replace(ADA, id=CharacterId(0)), ToySettings())

    assert len(describing.described) == MOST_KEPT + 2
