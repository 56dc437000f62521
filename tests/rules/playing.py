"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, cast

import pytest
from msgspec.structs import replace

from bot.rules.kernel import (
    Character,
    CharacterId,
    Document,
    FollowUp,
    Outcome,
    PersonId,
    RollRule,
    Ruleset,
    Scene,
    SettingsT,
    SheetT,
)
from bot.rules.kernel.dice import Dice, Fall, ReplayedDice
from bot.rules.kernel.errors import UserError
from bot.table.journal.shared_prompts import document_model
from tests.dice import ScriptedDice
from tests.rules.offers import GM, Step, check_gm_buttons


@dataclass
class GameTable(Generic[SheetT, SettingsT]):
    """Characters of one ruleset by name, and what they do.

    Attributes:
        game: The ruleset.
        scene: Everything as it is now.
        ids: Each character's id, by name.
        falls: Every die rolled so far.
        last: What was done last.
        checks_sheets: Whether every sheet must be one that the rules can make.
    """

    checks_sheets: ClassVar[bool] = True
    game: Ruleset
    scene: Scene[SheetT, SettingsT]
    ids: Mapping[str, CharacterId]
    falls: list[Fall] = field(default_factory=list)
    last: Outcome[Scene[SheetT, SettingsT]] | None = None
    _survived: "Survived" = field(default_factory=dict)

    def named(self, name: str) -> Character[SheetT]:
        """A character by name."""
        return self.scene.character(self.ids[name])

    def sheet(self, name: str) -> SheetT:
        """A character's sheet."""
        return self.named(name).sheet

    def points(self, name: str, key: str) -> int:
        """Something that is counted."""
        return self.named(name).resources.get(key, 0)

    def change(self, name: str, **changes: Any) -> None:
        """Change a character's sheet outside the rules."""
        sheet = self.sheet(name)
        changed = type(sheet).model_validate({**dict(sheet), **changes})
        self.scene = self.scene.with_character(replace(self.named(name), sheet=changed))

    def retire(self, name: str) -> None:
        """Take a character out of the campaign."""
        gone, find = self.ids[name], self.scene.find_character

        def find_others(id_: CharacterId) -> Character[SheetT]:
            if id_ == gone:
                raise UserError("There is no such character here.")
            return find(id_)

        kept = {id_: one for id_, one in self.scene.characters.items() if id_ != gone}
        self.scene = replace(self.scene, find_character=find_others, characters=kept)

    def settings(self, **changes: Any) -> None:
        """Change the campaign's settings."""
        changed = {**self.scene.settings.model_dump(), **changes}
        self.scene = replace(self.scene, settings=type(self.scene.settings).model_validate(changed))

    def do(
        self, who: str, procedure: str, fall: str = "", /, **options: Any
    ) -> Outcome[Scene[SheetT, SettingsT]]:
        """Do a procedure as a character ("GM" for the GM alone, "GM Ogre" for the GM as the ogre)."""
        dice = ScriptedDice(fall)
        done = self.play(who, procedure, options, dice)
        dice.assert_all_rolled()
        return done

    def press(
        self, who: str, button: FollowUp, fall: str = "", choose: str | None = None
    ) -> Outcome[Scene[SheetT, SettingsT]]:
        """Press a follow-up of an earlier result."""
        options = button.options.model_dump()
        if choose is not None:
            options[button.chosen] = choose
        return self.do(who, button.procedure, fall, **options)

    def refused(self, who: str, procedure: str, fall: str = "", /, **options: Any) -> UserError:
        """Do what is not allowed; nothing changes."""
        before = self.scene
        try:
            self.do(who, procedure, fall, **options)
        except UserError as mistake:
            assert self.scene is before
            return mistake
        raise AssertionError(f"{procedure} was allowed")

    def play(
        self, who: str, key: str, options: dict[str, Any], dice: Dice
    ) -> Outcome[Scene[SheetT, SettingsT]]:
        """Do a procedure with any dice, and check what holds for every outcome."""
        procedure = self.game.procedures[key]
        actor = who.removeprefix("GM").strip()
        is_gm = who.startswith("GM")
        before = replace(
            self.scene,
            is_gm=is_gm,
            person=GM if is_gm else PersonId(self.ids[actor]),
            actor_id=self.ids[actor] if actor else None,
            moment=str(int(self.scene.moment) + 1),
        )
        assert is_gm or not procedure.gm_only, f"{key} is the GM's"
        chosen = procedure.options.model_validate(
            {name: self._given(procedure.options, name, value) for name, value in options.items()}
        )
        noted = _Noted(dice)
        outcome = cast("Outcome[Scene[SheetT, SettingsT]]", procedure.run(before, chosen, noted))
        check_outcome(self.game, before, outcome, noted.falls, self._survived)
        if self.checks_sheets:
            assert not any(self.game.sheet_problems(one.sheet) for one in outcome.scene.characters.values())
        self.scene, self.last = outcome.scene, outcome
        self.falls += noted.falls
        return outcome

    def _given(self, model: type[Document], name: str, value: Any) -> Any:
        """Names of characters stand for their ids, as at the real table."""
        wants_id = name in model.model_fields and "CharacterId" in str(model.model_fields[name].annotation)
        if wants_id and isinstance(value, str):
            return self.ids[value]
        if wants_id and isinstance(value, tuple):
            return tuple(self.ids[one] if isinstance(one, str) else one for one in value)
        return value


def lay_table(game: Ruleset, players: Mapping[str, Document], foes: Mapping[str, Document]) -> GameTable:
    """A table at the beginning of play; see `seated`."""
    return GameTable(game, *seated(game, players, foes))


def seated(
    game: Ruleset, players: Mapping[str, Document], foes: Mapping[str, Document]
) -> tuple[Scene[Any, Any], dict[str, CharacterId]]:
    """A scene at the beginning of play, and each character's id by name.

    Args:
        game: The ruleset.
        players: Sheets of the players' characters, by name; each belongs to a person with its own id.
        foes: Sheets of the GM's characters, by name.
    """
    made: dict[CharacterId, Character] = {}
    ids: dict[str, CharacterId] = {}
    for number, (name, sheet) in enumerate({**players, **foes}.items(), start=1):
        ids[name] = CharacterId(number)
        is_foe = name in foes
        made[ids[name]] = Character(
            id=ids[name],
            name=name,
            owner=None if is_foe else PersonId(number),
            sheet=sheet,
            resources={rule.key: rule.npc_start if is_foe else rule.start for rule in game.resources},
        )

    def find(id_: CharacterId) -> Character:
        if id_ not in made:
            raise UserError("There is no such character here.")
        return made[id_]

    scene = Scene(
        settings=game.settings(), channel="7", find_character=find, find_everybody=lambda: tuple(made)
    )
    return scene, ids


def check_rolls(rolls: Mapping[str, RollRule[Any]], outcome: Outcome, falls: list[Fall]) -> None:
    """What holds for every roll: its dice are told, it can be computed again, it says whose it is.

    Args:
        rolls: The ruleset's kinds of rolls.
        outcome: What came of a procedure.
        falls: Every die that fell in it.
    """
    told = [Fall(die.sides, die.face) for roll in outcome.rolls for die in roll.dice]
    assert told == falls
    for roll in outcome.rolls:
        assert roll.purpose, f"{roll.rule}: it does not say what for"
        assert roll.roller is not None or len(outcome.rolls) == 1, f"{roll.rule} has no name"
        rule = rolls[roll.rule]
        inputs = rule.inputs.model_validate_json(roll.inputs.model_dump_json())
        again = rule.resolve(inputs, ReplayedDice(Fall(die.sides, die.face) for die in roll.dice))
        assert (
            replace(again, roller=roll.roller, purpose=roll.purpose, word=roll.word, targets=roll.targets)
            == roll
        )
        if roll.odds is not None:
            assert rule.odds is not None
            assert rule.odds(inputs) == roll.odds
            assert roll.outcome is None or roll.outcome in dict(roll.odds.chances)
            assert sum(chance.fraction for _, chance in roll.odds.chances) == 1


Survived = dict[int, tuple[Document, type[Document], str]]
"""What has been read back from its JSON, by its id, with that JSON."""


def check_outcome(
    game: Ruleset, before: Scene, outcome: Outcome, falls: list[Fall], survived: Survived
) -> None:
    """What holds for every outcome: its rolls are whole, it keeps to all caps and survives as JSON."""
    check_rolls(game.rolls, outcome, falls)
    settings = outcome.scene.settings
    if _is_new(settings, game.settings, survived):
        kept = game.settings.model_validate_json(settings.model_dump_json())
        assert kept.model_dump() == settings.model_dump()
    for key, document in outcome.scene.documents.items():
        if document is not None:
            kind = key.split("/")[0]
            model = document_model(game, key)
            assert model is not None, f"{game.key} knows no {kind}"
            if _is_new(document, model, survived):
                assert model.model_validate_json(document.model_dump_json()) == document
    for character in outcome.scene.characters.values():
        if _is_new(character.sheet, game.sheet, survived):
            assert game.sheet.model_validate_json(character.sheet.model_dump_json()) == character.sheet
        assert all(value >= 0 for value in character.resources.values())
        for rule in game.resources:
            cap = rule.cap(character.sheet, settings)
            had = before.character(character.id).resources.get(rule.key, 0)
            assert cap is None or character.resources.get(rule.key, 0) <= max(cap, had), rule.key
    for button in outcome.follow_ups:
        check_button(game, button)
    check_gm_buttons(game.procedures, outcome.scene, outcome.follow_ups)


def _is_new(document: Document, model: type[Document], survived: Survived) -> bool:
    """Whether a document has not been read back from its JSON yet, or has changed since."""
    told = document.model_dump_json()
    known = survived.get(id(document))
    survived[id(document)] = (document, model, told)
    return known is None or known[0] is not document or known[1:] != (model, told)


def check_button(game: Ruleset, button: FollowUp) -> None:
    """What holds for every button and select menu."""
    procedure = game.procedures[button.procedure]
    assert type(button.options) is procedure.options
    kept = button.options.model_dump_json(exclude_defaults=True)  # as the table keeps them
    assert procedure.options.model_validate_json(kept) == button.options
    assert len(button.label) <= 80
    assert len(button.choices) <= 25
    assert not button.choices or button.chosen in procedure.options.model_fields
    for choice in button.choices:
        assert 1 <= len(choice.value) <= 100
        assert 1 <= len(choice.label) <= 100
        assert len(choice.note) <= 100


class _Noted:
    """Dice that remember how they fell."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.falls: list[Fall] = []

    def roll(self, sides: int) -> int:
        self.falls.append(Fall(sides, self._dice.roll(sides)))
        return self.falls[-1].face


def vectors_beside(module: str, name: str) -> list[Any]:
    """The rows of a table in the `vectors.toml` beside a module as parameters; their ids are the test ids."""
    rows = tomllib.loads(Path(module).with_name("vectors.toml").read_text("utf-8"))[name]
    return [
        pytest.param({key: value for key, value in row.items() if key != "id"}, id=row["id"]) for row in rows
    ]


def stepping(table: GameTable[Any, Any], id_of: Callable[[str], CharacterId]) -> Callable[..., Step]:
    """What makes steps at a table: of whose menus are looked at, and what is done before."""

    def seen(who: str, *doing: Callable[[], object]) -> Step:
        def step() -> tuple[Scene, CharacterId]:
            for one in doing:
                one()
            return table.scene, id_of(who)

        return step

    return seen
