"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from bot.rules.kernel import CharacterId, Document, EncounterView, FollowUp, Outcome, PersonId
from bot.rules.kernel.dice import Dice, Fall
from bot.rules.kernel.errors import UserError
from bot.rules.swim_class import RULESET
from bot.rules.swim_class.board import view
from bot.rules.swim_class.resources import RESOURCES
from bot.rules.swim_class.session import PROCEDURES, ROLLS
from bot.rules.swim_class.settings import SwimSettings
from bot.rules.swim_class.sheet import (
    CATALOGUE,
    Character,
    HeldTrait,
    Scene,
    SwimItem,
    SwimSheet,
    book_of,
    item_of,
)
from bot.table.base.typed_options import read_choice
from bot.table.journal.shared_prompts import document_model
from tests.dice import ScriptedDice
from tests.rules.offers import check_gm_buttons
from tests.rules.playing import check_rolls

GM = PersonId(99)
NAMES = ("Ash", "Bram", "Cleo", "Orc", "Beast")
FOES = ("Orc", "Beast")


def sheet(
    ranks: Mapping[str, int] | None = None,
    *,
    items: Iterable[str | SwimItem] = (),
    traits: Mapping[str, int] | None = None,
    **more: Any,
) -> SwimSheet:
    """A sheet; items by name are taken from the catalogue and in use."""
    held = tuple(item_of(CATALOGUE[one]) if isinstance(one, str) else one for one in items)
    kinds = tuple(HeldTrait(key=key, degree=degree) for key, degree in (traits or {}).items())
    return SwimSheet(ranks=ranks or {}, items=held, traits=kinds, **more)


def id_of(name: str) -> CharacterId:
    """The id of a character of the table."""
    return CharacterId(NAMES.index(name) + 1)


def script(faces: str) -> str:
    """d6 that fall as told: "5 4 1" """
    return " ".join(f"d6:{face}" for face in faces.split())


@dataclass
class GameTable:
    """Ash 1, Bram 2 and Cleo 3 of players, an Orc 4 and a Beast 5 of the GM's, and what they do."""

    scene: Scene
    last: Outcome | None = None

    def named(self, name: str) -> Character:
        """A character by name."""
        return self.scene.character(id_of(name))

    def sheet(self, name: str) -> SwimSheet:
        """A character's sheet."""
        return self.named(name).sheet

    def rank(self, name: str, skill: str) -> int:
        """A character's rank."""
        assert isinstance(self.scene.settings, SwimSettings)
        return book_of(self.scene.settings).rank(self.sheet(name).ranks, skill)

    def points(self, name: str, key: str) -> int:
        """A resource."""
        return self.named(name).resources.get(key, 0)

    def set(self, name: str, key: str, value: int) -> None:
        """Set a resource outside the rules."""
        self.scene = self.scene.with_character(self.named(name).with_resource(key, value))

    def give(self, name: str, **changes: Any) -> None:
        """Change a sheet outside the rules, as a GM may."""
        changed = self.sheet(name).model_copy(update=changes)
        self.scene = self.scene.with_character(replace(self.named(name), sheet=changed))

    def settings(self, **changes: Any) -> None:
        """Change the campaign's settings."""
        self.scene = replace(self.scene, settings=SwimSettings.model_validate(changes))

    def do(self, who: str, procedure: str, faces: str = "", /, **options: Any) -> Outcome:
        """Do a procedure as a character ("GM" for the GM alone, "GM Orc" for the GM as the orc).

        A strain is allowed unless *consented* says no.
        """
        if options.get("strain"):
            options.setdefault("consented", True)
        dice = ScriptedDice(script(faces))
        done = self.play(who, procedure, options, dice)
        dice.assert_all_rolled()
        return done

    def fight(self) -> EncounterView:
        """The fight as it is shown."""
        shown = view(self.scene)
        assert shown is not None, "there is no fight"
        return shown

    def press(self, who: str, button: FollowUp, faces: str = "", choose: str | None = None) -> Outcome:
        """Press a follow-up of an earlier result."""
        options = button.options.model_dump()
        if choose is not None:
            model = PROCEDURES[button.procedure].options
            chosen = read_choice(model, button.chosen, choose)
            options[button.chosen] = tuple(chosen) if isinstance(chosen, list) else chosen
        return self.do(who, button.procedure, faces, **options)

    def refused(self, who: str, procedure: str, /, **options: Any) -> str:
        """Do what is not allowed; nothing changes; what was wrong."""
        before = self.scene
        try:
            self.do(who, procedure, **options)
        except UserError as mistake:
            assert self.scene is before
            return mistake.what
        raise AssertionError(f"{procedure} was allowed")

    def play(self, who: str, key: str, options: dict[str, Any], dice: Dice) -> Outcome:
        """Do a procedure with any dice, and check what holds for every outcome."""
        procedure = PROCEDURES[key]
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
        given = {name: _given(procedure.options, name, value) for name, value in options.items()}
        noted = NotedDice(dice)
        outcome = procedure.run(before, procedure.options.model_validate(given), noted)
        _check_outcome(outcome, noted.falls)
        self.scene, self.last = cast(Scene, outcome.scene), outcome
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
    """What holds for every outcome: all dice are told, rolls can be computed again, all survives as JSON."""
    check_rolls(ROLLS, outcome, falls)
    for key, document in outcome.scene.documents.items():
        if document is not None:
            model = document_model(RULESET, key)
            assert model is not None
            assert model.model_validate_json(document.model_dump_json()) == document
    for character in outcome.scene.characters.values():
        assert SwimSheet.model_validate_json(character.sheet.model_dump_json()) == character.sheet
        assert all(value >= 0 for value in character.resources.values())
    check_gm_buttons(PROCEDURES, outcome.scene, outcome.follow_ups)
    for button in outcome.follow_ups:
        procedure = PROCEDURES[button.procedure]
        assert type(button.options) is procedure.options
        assert len(button.label) <= 80
        assert len(button.choices) <= 25
        assert not button.choices or button.chosen in procedure.options.model_fields


class NotedDice:
    """Dice that remember how they fell."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.falls: list[Fall] = []

    def roll(self, sides: int) -> int:
        self.falls.append(Fall(sides, self._dice.roll(sides)))
        return self.falls[-1].face


def lay_table(**sheets: SwimSheet) -> GameTable:
    """The table at the beginning of play; sheets by name of the character."""
    made: dict[CharacterId, Character] = {}
    for name in NAMES:
        is_foe = name in FOES
        made[id_of(name)] = Character(
            id=id_of(name),
            name=name,
            owner=None if is_foe else PersonId(id_of(name)),
            sheet=sheets.get(name, SwimSheet()),
            resources={rule.key: rule.npc_start if is_foe else rule.start for rule in RESOURCES},
        )

    def find(id_: CharacterId) -> Character:
        if id_ not in made:
            raise UserError("There is no skill such character in this campaign.")
        return made[id_]

    return GameTable(
        Scene(settings=SwimSettings(), channel="7", find_character=find, find_everybody=lambda: tuple(made))
    )


def solo(ranks: Mapping[str, int] | None = None, **more: Any) -> GameTable:
    """A table at which Ash has these ranks."""
    return lay_table(Ash=sheet(ranks, **more))


def words(outcome: Outcome) -> str:
    """What an outcome came to."""
    return outcome.verdict.title if outcome.verdict else ""


def faced(outcome: Outcome) -> str:
    """What stopped what in an opposed roll, and what got through."""
    facing = next(roll.facing for roll in outcome.rolls if roll.facing)
    stopped = [
        f"{one.stopping if one.stopped_by.sides > 1 else f'({one.stopping})'} stops {one.value}"
        for one in facing
        if one.stopped_by is not None
    ]
    through = [str(one.value) for one in facing if one.stopped_by is None]
    parts = [", ".join(stopped), f"through: {', '.join(through)}" if through else ""]
    return " · ".join(part for part in parts if part)
