"""Characters under a module that they were not made for: nothing breaks, and what does not fit is told."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

import pytest
from pydantic import ValidationError

from bot.rules.kernel import Document
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.creation.ways_to_join import ready_made_of
from bot.rules.rpj.module.module import Module, Pack
from bot.rules.rpj.module.module_files import MODULES
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.playing import lay_table
from tests.rules.rpj.creation.wizard import laeniel
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.table import LAENIEL, UG, GameTable

EVERYTHING = tuple(Pack)
BARE = Module(id="bare", name="Bare", optional_rules=EVERYTHING)
ODD = Module.model_validate(
    {
        "id": "odd",
        "name": "Odd",
        "attributes": {"highest": 6, "lowest": 2},
        "characters": {"highest_skill": 1},
        "skills": [{"id": "archery", "name": "Archery", "linked": ["INT"], "has_specialty": True}],
        "classes": [{"id": "ranger", "name": "Ranger"}],
        "traits": [{"id": "haggler", "name": "Haggler", "kind": "fault", "cost": -2}],
    }
)
OTHERS = {"bare": BARE, "odd": ODD, "science_fiction": MODULES["science_fiction"]}
PEOPLE = {
    "Laeniel": LAENIEL,
    "Ug": UG,
    "Overloaded": sheet(
        "STR 0 CON 6 LUCK 6",
        skills=[known("archery", 6), known("nothing", 3)],
        traits=["alert", "tough", "rich", "strong", "wings"],
        class_id="ranger",
        class_skills=["archery", "crafting/Wood"],
        belongings=("bow", "leather", "nothing"),
    ),
}


WORDS = ("archery", "Archery", "alert", "bow", "DEX", "nothing")


@pytest.fixture(params=list(OTHERS))
def settings(request: pytest.FixtureRequest) -> RpjSettings:
    """The settings of a campaign that plays another module, with every optional rule on."""
    packs = dict.fromkeys(EVERYTHING, True)
    return RpjSettings.model_validate({"module": "own", **packs}).with_module(OTHERS[request.param])


@pytest.fixture
def table(settings: RpjSettings) -> GameTable:
    """Everybody at a table of that campaign."""
    laid = cast("GameTable", lay_table(RULESET, PEOPLE, {}))
    laid.scene = replace(laid.scene, settings=settings)
    return laid


class TestShownUnderAnotherModule:
    def test_sheets_can_be_read_under_any_module(self, table: GameTable, settings: RpjSettings) -> None:
        for name in PEOPLE:
            assert RULESET.describe(table.named(name), settings)

    def test_suggestions_are_offered_under_any_module(self, table: GameTable, settings: RpjSettings) -> None:
        for offer in RULESET.suggestions.values():
            for character in (None, *map(table.named, PEOPLE)):
                assert all(isinstance(name, str) for name in offer(character, settings))

    def test_every_resource_has_a_valid_cap_under_any_module(self, settings: RpjSettings) -> None:
        for rule in RULESET.resources:
            for own in PEOPLE.values():
                cap = rule.cap(own, settings)
                assert cap is None or cap >= 0

    def test_whatever_does_not_fit_a_module_is_reported_in_sentences(self, settings: RpjSettings) -> None:
        problems = [one.sentence for own in PEOPLE.values() for one in RULESET.module_problems(own, settings)]

        assert problems
        assert all(one.endswith(".") for one in problems)

    def test_the_odds_command_works_under_any_module(self, settings: RpjSettings) -> None:
        assert RULESET.odds.answer_under is not None
        assert RULESET.odds.answer_under(RULESET.odds.question(), settings).chances


class TestDoneUnderAnotherModule:
    def test_sessions_start_and_end_under_any_module(self, table: GameTable) -> None:
        everybody = list(table.ids.values())

        begun = RULESET.start_session(table.scene, everybody)
        ended = RULESET.end_session(begun.scene, everybody, [])

        assert ended.scene.characters.keys() == set(everybody)

    @pytest.mark.parametrize("key", sorted(RULESET.procedures))
    def test_every_command_is_done_or_refused_under_any_module(self, table: GameTable, key: str) -> None:
        procedure = RULESET.procedures[key]
        for name in PEOPLE:
            for word in WORDS:
                scene = replace(table.scene, actor_id=table.ids[name], is_gm=True)
                options = filled(procedure.options, word, table)
                if options is None:
                    continue
                with suppress(UserError):
                    assert procedure.run(scene, options, FairDice(b"s" * 32, f"{key} {name} {word}")).headline


def filled(model: type[Document], word: str, table: GameTable) -> Document | None:
    """Options with a word wherever there is a text, and whoever wherever there is a character.

    None for what only buttons can fill.
    """
    given: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kind = str(field.annotation)
        if "CharacterId" in kind:
            given[name] = (table.ids["Ug"],) if "tuple" in kind else table.ids["Ug"]
        elif kind == "<class 'str'>":
            given[name] = word
    try:
        return model.model_validate(given)
    except ValidationError:
        return None


class TestUnfinishedCharacters:
    def test_an_unfinished_character_can_be_continued_under_another_module(
        self, settings: RpjSettings
    ) -> None:
        wizard = laeniel().pick(**{"class": "ranger"}).buy("archery", 4)

        wizard.settings = settings

        assert wizard.steps
        assert all(sentence.endswith(".") for _page, sentence in wizard.problems)

    @pytest.mark.parametrize("module", list(Shipped))
    def test_a_module_offers_only_the_ready_made_characters_that_fit(
        self, settings: RpjSettings, module: Shipped
    ) -> None:
        offered = RULESET.creation.offered(settings)

        assert ready_made_of(module)
        assert all(isinstance(own, RpjSheet) for own in offered.values())
