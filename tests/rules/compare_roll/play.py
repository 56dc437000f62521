"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.rules.compare_roll import RULESET
from bot.rules.compare_roll.encounter import CompareCombatant, CompareEncounter, the_encounter
from bot.rules.compare_roll.fortunes import ft_max, ft_now, hp_now
from bot.rules.compare_roll.sheet import (
    Character,
    CompareSettings,
    CompareSheet,
    Foe,
    Scene,
    SkillScore,
    hp_max,
)
from bot.rules.compare_roll.tables import Stat
from bot.rules.compare_roll.turns import view
from bot.rules.kernel import CharacterId, Document, EncounterView, FollowUp, Outcome, PersonId
from bot.rules.kernel.dice import Dice, Fall
from bot.rules.kernel.errors import UserError
from bot.table.journal.shared_prompts import document_model
from tests.dice import ScriptedDice
from tests.rules.offers import check_gm_buttons
from tests.rules.playing import check_rolls

GM = PersonId(99)
NAMES = ("Ash", "Bram", "Cleo")
FOES = ("Ogre", "Wolf")
RESOURCES = ("stress", "high", "assets", "ammunition")


def sheet(
    stats: Mapping[str, int] | None = None, skills: Mapping[str, int] | None = None, **more: Any
) -> CompareSheet:
    """A sheet with six 7s unless said otherwise; skills as "Category/Name"."""
    scores = {**dict.fromkeys(Stat, 7), **{Stat(key): value for key, value in (stats or {}).items()}}
    levels = tuple(
        SkillScore(category=key.split("/")[0], name=key.split("/")[1], level=level)
        for key, level in (skills or {}).items()
    )
    return CompareSheet.model_validate(
        {"stats": scores, "skills": levels, "skill_points": 0, "has_rolled_assets": True, **more}
    )


def foe(**more: Any) -> CompareSheet:
    """The sheet of an opponent, unhurt unless said otherwise."""
    record = Foe.model_validate({"hp_max": more.get("hp", 10), **more})
    made = RULESET.creation.npc()
    assert isinstance(made, CompareSheet)
    return made.changed(foe=record)


@dataclass
class GameTable:
    """Ash 1, Bram 2, Cleo 3, an Ogre 4 and a Wolf 5 of the GM's, and what they do."""

    scene: Scene
    falls: list[Fall]

    def named(self, name: str) -> Character:
        """A character by name."""
        return self.scene.character(id_of(name))

    def sheet(self, name: str) -> CompareSheet:
        """A character's sheet."""
        return self.named(name).sheet

    def change(self, name: str, **changes: Any) -> None:
        """Change fields of a sheet outside the rules."""
        character = self.named(name)
        made = CompareSheet.model_validate({**dict(self.sheet(name)), **changes})
        self.scene = self.scene.with_character(replace(character, sheet=made))

    def set(self, name: str, **resources: int) -> None:
        """Set what is counted outside the rules."""
        for key, value in resources.items():
            self.scene = self.scene.with_character(self.named(name).with_resource(key, value))

    def points(self, name: str, key: str) -> int:
        """Something counted."""
        return self.named(name).resources.get(key, 0)

    def hp(self, name: str) -> int:
        """HP left."""
        return hp_now(self.named(name))

    def ft(self, name: str) -> str:
        """Fortitude as "now/most"."""
        made, settings = self.sheet(name), self.scene.settings
        assert isinstance(settings, CompareSettings)
        return f"{ft_now(made, settings)}/{ft_max(made, settings)}"

    def encounter(self) -> CompareEncounter:
        """The encounter of the channel."""
        return the_encounter(self.scene)

    def fighter(self, name: str) -> CompareCombatant:
        """A character's place in it."""
        found = self.encounter().combatant(id_of(name))
        assert found is not None
        return found

    def board(self) -> EncounterView:
        """The fight as it is shown."""
        shown = view(self.scene)
        assert shown is not None, "there is no fight"
        return shown

    def settings(self, **changes: Any) -> None:
        """Change the campaign's settings."""
        self.scene = replace(self.scene, settings=CompareSettings.model_validate(changes))

    def retire(self, name: str) -> None:
        """Take a character out of the campaign."""
        gone, before = id_of(name), self.scene.find_character

        def find(id_: CharacterId) -> Character:
            if id_ == gone:
                raise UserError("There is no such character here.")
            return before(id_)

        kept = {id_: one for id_, one in self.scene.characters.items() if id_ != gone}
        self.scene = replace(self.scene, find_character=find, characters=kept)

    def do(self, who: str, procedure: str, fall: str = "", /, **options: Any) -> Outcome:
        """Do a procedure as a character ("GM" for the GM alone, "GM Ogre" for the GM as the ogre)."""
        dice = ScriptedDice(fall)
        done = self.play(who, procedure, options, dice)
        dice.assert_all_rolled()
        return done

    def press(self, who: str, button: FollowUp, fall: str = "", choose: str | None = None) -> Outcome:
        """Press a follow-up of an earlier result."""
        options = button.options.model_dump()
        if choose is not None:
            options[button.chosen] = choose
        return self.do(who, button.procedure, fall, **options)

    def refused(self, who: str, procedure: str, fall: str = "", /, **options: Any) -> str:
        """Do what is not allowed; nothing changes. What was wrong is returned."""
        before = self.scene
        try:
            self.do(who, procedure, fall, **options)
        except UserError as mistake:
            assert self.scene is before
            return mistake.what
        raise AssertionError(f"{procedure} was allowed")

    def play(self, who: str, key: str, options: dict[str, Any], dice: Dice) -> Outcome:
        """Do a procedure with any dice, and check what holds for every outcome."""
        procedure = RULESET.procedures[key]
        actor = who.removeprefix("GM").strip()
        is_gm = who.startswith("GM")
        before = replace(
            self.scene,
            is_gm=is_gm,
            person=GM if is_gm else PersonId(id_of(actor)),
            actor_id=id_of(actor) if actor else None,
            moment=str(int(self.scene.moment) + 1),
        )
        assert is_gm or not procedure.gm_only, f"{key} is the GM's"
        chosen = procedure.options.model_validate(
            {name: _given(procedure.options, name, value) for name, value in options.items()}
        )
        noted = _Noted(dice)
        outcome = procedure.run(before, chosen, noted)
        _check_outcome(outcome, noted.falls)
        self.scene = cast(Scene, outcome.scene)
        self.falls += noted.falls
        return outcome


def _given(model: type[Document], field: str, value: Any) -> Any:
    """Names of characters stand for their ids, as at the real table."""
    wants_id = field in model.model_fields and "CharacterId" in str(model.model_fields[field].annotation)
    if wants_id and isinstance(value, str):
        return id_of(value)
    if wants_id and isinstance(value, tuple):
        return tuple(id_of(one) if isinstance(one, str) else one for one in value)
    return value


def _check_outcome(outcome: Outcome, falls: list[Fall]) -> None:
    """All dice are told, rolls can be computed again, resources stay in bounds, all survives as JSON."""
    check_rolls(RULESET.rolls, outcome, falls)
    for key, document in outcome.scene.documents.items():
        if document is not None:
            model = document_model(RULESET, key)
            assert model is not None
            assert model.model_validate_json(document.model_dump_json()) == document
    settings = outcome.scene.settings
    assert RULESET.settings.model_validate_json(settings.model_dump_json()) == settings
    for character in cast(Scene, outcome.scene).characters.values():
        assert RULESET.sheet.model_validate_json(character.sheet.model_dump_json()) == character.sheet
        assert 0 <= hp_now(character) <= hp_max(character.sheet)
        for rule_ in RULESET.resources:
            cap = rule_.cap(character.sheet, settings)
            assert character.resources.get(rule_.key, 0) >= 0
            assert cap is None or character.resources.get(rule_.key, 0) <= cap
    check_gm_buttons(RULESET.procedures, outcome.scene, outcome.follow_ups)
    for button in outcome.follow_ups:
        procedure = RULESET.procedures[button.procedure]
        assert type(button.options) is procedure.options
        assert len(button.label) <= 80
        assert len(button.choices) <= 25
        for choice in button.choices:
            assert 1 <= len(choice.value) <= 100
            assert len(choice.note) <= 100


class _Noted:
    """Dice that remember how they fell."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.falls: list[Fall] = []

    def roll(self, sides: int) -> int:
        self.falls.append(Fall(sides, self._dice.roll(sides)))
        return self.falls[-1].face


def id_of(name: str) -> CharacterId:
    """The id of a character of the table."""
    return CharacterId((*NAMES, *FOES).index(name) + 1)


def lay_table(**sheets: CompareSheet) -> GameTable:
    """The table at the beginning of play."""
    made: dict[CharacterId, Character] = {}
    for name in (*NAMES, *FOES):
        id_ = id_of(name)
        is_foe = name in FOES
        own = sheets.get(name, foe(hp=30) if is_foe else sheet())
        resources = {} if own.foe else {"hp": hp_max(own), **dict.fromkeys(RESOURCES, 0)}
        made[id_] = Character(
            id=id_, name=name, owner=None if is_foe else PersonId(id_), sheet=own, resources=resources
        )
    scene = Scene(
        settings=CompareSettings(),
        channel="7",
        find_character=made.__getitem__,
        find_everybody=lambda: tuple(made),
    )
    return GameTable(scene, [])


def fall(d6: tuple[int, int], d12: tuple[int, int]) -> str:
    """The script of a compare roll: the referee's dice first."""
    return f"d12:{d12[0]} d12:{d12[1]} d6:{d6[0]} d6:{d6[1]}"


FAILURE = fall((2, 4), (12, 12))
COST = fall((3, 4), (1, 12))
SUCCESS = fall((3, 4), (1, 1))
CRIT = fall((4, 4), (1, 1))
COST_STRESS = fall((3, 3), (12, 12))
COST_HIGH = fall((3, 3), (1, 12))


def fight(table: GameTable, *who: str) -> None:
    """Begin an encounter."""
    table.do("GM", "encounter.start", others=who, at_once=True)


def labels(outcome: Outcome) -> list[str]:
    """What the follow-ups say."""
    return [button.label for button in outcome.follow_ups]


def button(outcome: Outcome, start: str) -> FollowUp:
    """The follow-up whose label begins so."""
    return next(one for one in outcome.follow_ups if one.label.startswith(start))


def sheet_of_draft(draft: Mapping[str, tuple[str, ...]]) -> CompareSheet:
    """The sheet that the wizard makes of answers without problems."""
    settings = CompareSettings()
    assert RULESET.creation.problems_of(draft, settings) == ()
    made = RULESET.creation.build(draft, settings)
    assert isinstance(made, CompareSheet)
    return made


def vectors(name: str) -> list[Any]:
    """The rows of one table of `vectors.toml` as parameters; their ids are the test ids."""
    rows = tomllib.loads((Path(__file__).parent / "vectors.toml").read_text("utf-8"))[name]
    return [
        pytest.param({key: value for key, value in row.items() if key != "id"}, id=row["id"]) for row in rows
    ]
