"""A small table for rules tests: characters, scenes, dice that fall as told, procedures by key."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.rules.kernel import CharacterId, Document, EncounterView, FollowUp, Outcome, PersonId
from bot.rules.kernel.dice import Dice, Fall
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid import RULESET
from bot.rules.post_magic_maid.encounter import MaidCombatant, MaidEncounter, the_encounter
from bot.rules.post_magic_maid.initiative import view
from bot.rules.post_magic_maid.sheet import (
    AbilityKind,
    AttributeScore,
    Character,
    MaidAbility,
    MaidAttribute,
    MaidSettings,
    MaidSheet,
    Scene,
)
from bot.table.journal.shared_prompts import document_model
from tests.dice import ScriptedDice
from tests.rules.offers import check_gm_buttons
from tests.rules.playing import check_rolls

PLAIN_DICE = {"Int": 20, "Str": 6, "Dex": 12, "Cha": 8, "Wll": 8, "Lck": 6}


def sheet(
    dice: Mapping[str, int] | None = None,
    *,
    creation: Mapping[str, int] | None = None,
    steps: Mapping[str, int] | None = None,
    abilities: Iterable[MaidAbility] = (),
    is_magical: bool = False,
) -> MaidSheet:
    """A sheet; the dice are Int d20, Str d6, Dex d12, Cha d8, Wll d8, Lck d6 unless said otherwise."""
    sides = {**PLAIN_DICE, **(dice or {})}
    return MaidSheet(
        attributes={
            attribute: AttributeScore(
                die=sides[attribute],
                creation=(creation or {}).get(attribute, 0),
                steps=(steps or {}).get(attribute, 0),
            )
            for attribute in MaidAttribute
        },
        abilities=tuple(abilities),
        is_magical=is_magical,
    )


def active(
    name: str, singles: int = 0, doubles: int = 0, *, creation: int = 0, gave_point: bool = False
) -> MaidAbility:
    """An active ability; what did not come at creation came by level-ups."""
    return MaidAbility(
        name=name,
        kind=AbilityKind.ACTIVE,
        singles=singles,
        doubles=doubles,
        from_creation=creation,
        from_level_ups=singles + doubles - creation,
        has_given_die_point=gave_point,
    )


def passive(name: str, strength: int = 1, *, creation: int = 0, gave_point: bool = False) -> MaidAbility:
    """A passive ability."""
    return MaidAbility(
        name=name,
        kind=AbilityKind.PASSIVE,
        passives=strength,
        from_creation=creation,
        from_level_ups=strength - creation,
        has_given_die_point=gave_point,
    )


def boxes(text: str) -> tuple[int, ...]:
    """ "4/3/0/0" as boxes."""
    return tuple(int(part) for part in text.split("/"))


GM = PersonId(99)
NAMES = ("Ash", "Bram", "Cleo", "Dara")


@dataclass
class GameTable:
    """Four players' characters (Ash 1, Bram 2, Cleo 3, Dara 4), an Ogre of the GM's (5), and what they do."""

    scene: Scene
    falls: list[Fall]
    last: Outcome | None = None

    def named(self, name: str) -> Character:
        """A character by name."""
        return self.scene.character(id_of(name))

    def change(self, name: str, **changes: Any) -> None:
        """Change a character outside the rules, as a GM may."""
        self.scene = self.scene.with_character(replace(self.named(name), **changes))

    def retire(self, name: str) -> None:
        """Take a character out of the campaign."""
        gone, before = id_of(name), self.scene.find_character

        def find(id_: CharacterId) -> Character:
            if id_ == gone:
                raise UserError("There is no such character here.")
            return before(id_)

        kept = {id_: character for id_, character in self.scene.characters.items() if id_ != gone}
        self.scene = replace(self.scene, find_character=find, characters=kept)

    def wound(self, name: str, track: str, filled: str) -> None:
        """Set a wound track outside the rules."""
        self.scene = self.scene.with_character(self.named(name).with_wounds(track, boxes(filled)))

    def wounds(self, name: str, track: str) -> str:
        """A wound track as "4/3/0/0"."""
        return "/".join(str(n) for n in self.named(name).wounds.get(track, (0, 0, 0, 0)))

    def points(self, name: str, key: str = "blitz") -> int:
        """A resource."""
        return self.named(name).resources.get(key, 0)

    def encounter(self) -> MaidEncounter:
        """The encounter of the channel."""
        return the_encounter(self.scene)

    def board(self) -> EncounterView:
        """The encounter as it is shown."""
        shown = view(self.scene)
        assert shown is not None, "there is no encounter"
        return shown

    def seat(self, name: str) -> MaidCombatant:
        """A character's place in the encounter."""
        found = self.encounter().combatant(id_of(name))
        assert found is not None, f"{name} takes no part"
        return found

    def clear_rounds(self) -> None:
        """Go on to the next round, by ending every turn that is left."""
        now = self.encounter().round
        while self.encounter().round == now:
            self.do("GM", "encounter.next")

    def settings(self, **changes: Any) -> None:
        """Change the campaign's settings."""
        self.scene = replace(self.scene, settings=MaidSettings.model_validate(changes))

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

    def refused(self, who: str, procedure: str, fall: str = "", /, **options: Any) -> UserError:
        """Do what is not allowed; nothing changes."""
        before = self.scene
        try:
            self.do(who, procedure, fall, **options)
        except UserError as mistake:
            assert self.scene is before
            return mistake
        raise AssertionError(f"{procedure} was allowed")

    def play(self, who: str, key: str, options: dict[str, Any], dice: Dice) -> Outcome:
        """Do a procedure with any dice, and check what holds for every outcome."""
        procedure = RULESET.procedures[key]
        actor = who.removeprefix("GM").strip()
        is_gm = who.startswith("GM")
        moment = str(int(self.scene.moment) + 1)
        before = replace(
            self.scene,
            is_gm=is_gm,
            person=GM if is_gm else PersonId(id_of(actor)),
            actor_id=id_of(actor) if actor else None,
            moment=moment,
        )
        assert is_gm or not procedure.gm_only, f"{key} is the GM's"
        chosen = procedure.options.model_validate(
            {name: _given(procedure.options, name, value) for name, value in options.items()}
        )
        noted = _Noted(dice)
        outcome = procedure.run(before, chosen, noted)
        _check_outcome(outcome, noted.falls)
        self.scene, self.last = cast(Scene, outcome.scene), outcome
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
    """What holds for every outcome: all dice are told, rolls can be computed again, all survives as JSON."""
    check_rolls(RULESET.rolls, outcome, falls)
    for key, document in outcome.scene.documents.items():
        if document is not None:
            model = document_model(RULESET, key)
            assert model is not None
            assert model.model_validate_json(document.model_dump_json()) == document
    for character in outcome.scene.characters.values():
        assert RULESET.sheet.model_validate_json(character.sheet.model_dump_json()) == character.sheet
        assert all(value >= 0 for value in character.resources.values())
    check_gm_buttons(RULESET.procedures, outcome.scene, outcome.follow_ups)
    for button in outcome.follow_ups:
        procedure = RULESET.procedures[button.procedure]
        assert type(button.options) is procedure.options
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


def id_of(name: str) -> CharacterId:
    """The id of a character of the table."""
    return CharacterId((*NAMES, "Ogre", "Wolf").index(name) + 1)


def lay_table(*, sheets: Mapping[str, MaidSheet] | None = None) -> GameTable:
    """The table at the beginning of play."""
    made: dict[CharacterId, Character] = {}
    for name in (*NAMES, "Ogre", "Wolf"):
        id_ = id_of(name)
        is_foe = name in {"Ogre", "Wolf"}
        resources = {rule.key: rule.npc_start if is_foe else rule.start for rule in RULESET.resources}
        made[id_] = Character(
            id=id_,
            name=name,
            owner=None if is_foe else PersonId(id_),
            sheet=(sheets or {}).get(name, sheet()),
            resources=resources,
        )
    scene = Scene(
        settings=MaidSettings(),
        channel="7",
        find_character=made.__getitem__,
        find_everybody=lambda: tuple(made),
    )
    return GameTable(scene, [])


def cards(text: str, *, gone: str = "") -> str:
    """The script of dice by which these cards are drawn: "A♠ 10♥ Joker Joker"; Jokers in their order."""
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    printed = [f"{rank}{suit}" for suit in "♠♥♦♣" for rank in ranks]
    left = [*printed, "Joker", "Joker"]
    for card in gone.split():
        left.remove(card)
    script = []
    for card in text.split():
        place = left.index(card)
        script.append(f"d{len(left)}:{place + 1}")
        left.pop(place)
    return " ".join(script)


def start_fight(table: GameTable, drawn: str) -> None:
    """Have Ash start an opposed encounter with as many others as cards are drawn, in the order of names."""
    others = ("Bram", "Cleo", "Dara", "Ogre", "Wolf")[: len(drawn.split()) - 1]
    table.do("Ash", "initiative", cards(drawn), opposed=True, others=others)


def order(table: GameTable) -> list[str]:
    """The names of those in the encounter, in their order."""
    return [seat.name for seat in table.encounter().shown]


def vectors(name: str) -> list[Any]:
    """The rows of one table of `vectors.toml` as parameters; their ids are the test ids."""
    rows = tomllib.loads((Path(__file__).parent / "vectors.toml").read_text("utf-8"))[name]
    return [
        pytest.param({key: value for key, value in row.items() if key != "id"}, id=row["id"]) for row in rows
    ]
