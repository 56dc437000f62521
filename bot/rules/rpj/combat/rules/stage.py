"""A scene with its fight while an action is carried out; joining and ending the fight."""

import dataclasses
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from bot.rules.kernel import CharacterId, FollowUp, Roll, Roller, Verdict, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.incapacity import with_health
from bot.rules.rpj.character.sheet import Character, Scene, Stats, figure_in
from bot.rules.rpj.combat.combatant import RpjCombatant, RpjKind, Side, fighter_id
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight, Step
from bot.rules.rpj.combat.rules.combatants import Battle, first_in_hand
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check_inputs import RpjPurpose
from bot.rules.shared.encounters import find_character

NOTHING_LOST: Mapping[str, int] = MappingProxyType({})


class Aftermath(Struct, frozen=True):
    """The aftermath of a fight."""

    rounds: int  # how many rounds it took
    healths: Mapping[str, RpjHealth]  # everybody's health afterwards, by the ids of fighters; mooks are gone
    lost: tuple[str, ...]  # how many saves each player's character lost, with its name ("Kit 2")
    bleeding: tuple[str, ...]  # names of those who still bleed, from now on by the minute
    out: tuple[str, ...]  # names of everybody who is out
    mooks: int  # how many mooks went down


def saves_lost(figure: Stats) -> int:
    """The number of crossed-off saves in all layers."""
    return sum(save.is_lost for layer in layers_of(figure) for save in layer.saves)


def ended(battle: Battle, before: Mapping[str, int] = NOTHING_LOST) -> Aftermath:
    """End a fight: saves and wounds stay; order, places, grapples, charges and mooks are gone.

    Args:
        battle: The battle as it stands.
        before: How many saves were lost before it, by the ids of fighters.

    [RPJ-GCS-66 (R-123), RPJ-HEALTH-09 (R-058)]
    """
    people = [one for one in battle.everybody() if one.fighter.kind is not RpjKind.MOOK]
    players = [one for one in people if one.fighter.kind is RpjKind.PLAYER]
    losses = {one.name: saves_lost(one.figure) - before.get(one.fighter.id, 0) for one in players}
    return Aftermath(
        rounds=battle.fight.round,
        healths={one.fighter.id: one.health.after_fight() for one in people},
        lost=tuple(f"{name} {count}" for name, count in losses.items() if count > 0),
        bleeding=tuple(one.name for one in people if one.health.is_bleeding),
        out=tuple(one.name for one in people if not one.is_able),
        mooks=sum(fighter.out is not Out.NO for fighter in battle.fight.combatants),
    )


def new_combatant(scene: Scene, character: Character) -> RpjCombatant:
    """A new combatant: player characters on one side, NPCs on the other. [RPJ-GCS-04, RPJ-GCS-20]"""
    mook = character.sheet.mook
    is_players = character.owner is not None
    kind = RpjKind.MOOK if mook else RpjKind.PLAYER if is_players else RpjKind.NPC
    return RpjCombatant(
        id=fighter_id(character.id),
        character=character.id,
        name=character.name,
        kind=kind,
        side=Side.PLAYERS if is_players else Side.FOES,
        wielded=() if mook else first_in_hand(figure_in(scene, character)),
        mook=mook,
        saves_lost=saves_lost(figure_in(scene, character)),
    )


class Stage(Struct, frozen=True):
    """A fight while an action is carried out."""

    scene: Scene  # the scene; what is done is in it once it is kept
    battle: Battle  # the fight with everybody's sheets
    rolls: tuple[Roll, ...] = ()  # what has been rolled
    notes: tuple[str, ...] = ()  # what has happened
    buttons: tuple[FollowUp, ...] = ()  # what can be done about it
    verdict: Verdict | None = None  # what it comes to, or None
    paid: Scene | None = None  # the scene before anything came of a roll that can be turned, or None
    touched: frozenset[str] = frozenset()  # fighters whom it concerns

    @staticmethod
    def of(scene: Scene) -> "Stage":
        """The channel's fight, without characters who have left the campaign.

        Raises:
            UserError: If there is none.
        """
        fight, figures = _with_places(scene, FIGHTS_KEPT.the(scene)), {}
        for one in fight.combatants:
            if one.character is None:
                continue
            character = find_character(scene, one.character)
            if character is None:
                fight = fight.without_fighter(one.id)
            elif one.kind is not RpjKind.MOOK:
                figures[one.id] = figure_in(scene, character)
        there = {one.id for one in fight.combatants}
        left = (step.among(there) for step in fight.steps)
        steps = tuple(step for step in left if step is not None)
        fight = fight if steps == fight.steps else fight.changed(steps=steps)
        return Stage(scene, Battle(fight, module_in(scene.settings), figures))

    @property
    def fight(self) -> Fight:
        """The fight itself."""
        return self.battle.fight

    @property
    def steps(self) -> tuple[Step, ...]:
        """The pending steps; the last comes first."""
        return self.fight.steps

    def with_battle(self, battle: Battle) -> "Stage":
        """The stage with another state of its battle."""
        return replace(self, battle=battle)

    def changed(self, **changes: object) -> "Stage":
        """The same stage with some of the fight's fields written anew."""
        return self.with_battle(self.battle.with_fight(self.fight.changed(**changes)))

    def in_scene(self, scene: Scene) -> "Stage":
        """The stage in another state of its scene."""
        return replace(self, scene=scene)

    def with_steps(self, steps: Iterable[Step]) -> "Stage":
        """The stage with other pending steps."""
        return self.changed(steps=tuple(steps))

    def pushed(self, *steps: Step) -> "Stage":
        """The stage with more steps to be done first, the last of them before all."""
        return self.with_steps((*self.steps, *steps))

    def popped(self) -> "Stage":
        """The stage without its first step."""
        return self.with_steps(self.steps[:-1])

    def noted(self, *notes: str) -> "Stage":
        """The stage with more messages."""
        return replace(self, notes=(*self.notes, *notes))

    def rolled(
        self,
        by: str,
        *rolls: Roll,
        purpose: RpjPurpose | None = None,
        verdict: Verdict | None = None,
        word: str = "",
    ) -> "Stage":
        """The stage with more rolls of a combatant; the first verdict stands."""
        fighter = self.fight.fighter(by)
        named = (roll.by(Roller(fighter.character, fighter.name), purpose, word) for roll in rolls)
        whose = None if verdict is None else dataclasses.replace(verdict, is_foes=fighter.is_foe)
        return replace(self, rolls=(*self.rolls, *named), verdict=self.verdict or whose)

    def concerning(self, *fighters: str) -> "Stage":
        """The stage with more combatants concerned."""
        return replace(self, touched=self.touched | set(fighters))

    def with_health(self, id_: str, health: RpjHealth) -> "Stage":
        """The stage with a combatant's health replaced."""
        return self.with_battle(self.battle.with_health(id_, health)).concerning(id_)

    def character(self, id_: str) -> Character | None:
        """A combatant's character, or None."""
        found = self.fight.fighter(id_).character
        return None if found is None else self.scene.character(found)

    def assert_quiet(self) -> None:
        """Refuse to start something while a step is pending."""
        if self.steps:
            raise UserError(
                "Something else has to be decided first.",
                "Its buttons are on the last message and on the board.",
                "The GM can continue without it: /rpj-gm-fight go-on.",
            )

    def saved(self) -> Scene:
        """The resulting scene: the fight, and everyone's health and ammunition."""
        scene = FIGHTS_KEPT.keep(self.scene, self.fight)
        for fighter in self.fight.combatants:
            figure = self.battle.figures.get(fighter.id)
            if figure is not None and fighter.character is not None:
                scene = _with_figure(scene, fighter.character, figure)
        return scene


def _with_places(scene: Scene, fight: Fight) -> Fight:
    """The fight with every hidden character placed, also those an older version left without a place."""
    for one in fight.hidden:
        character = None if one.name or one.character is None else find_character(scene, one.character)
        if character is not None:
            fight = fight.without_fighter(one.id).with_hidden([new_combatant(scene, character)])
    return fight


def _with_figure(scene: Scene, who: CharacterId, figure: Stats) -> Scene:
    """The scene with a combatant's health and ammunition from the fight."""
    character = scene.character(who)
    sheet, health = character.sheet, figure.sheet.health
    if sheet.ammunition != figure.sheet.ammunition:
        sheet = evolve(sheet, ammunition=figure.sheet.ammunition)
        character = replace(character, sheet=sheet)
        scene = scene.with_character(character)
    return scene if sheet.health == health else with_health(scene, character, health, in_combat=True)


def fighter_named(fight: Fight, name: str, *, with_hidden: bool = False) -> RpjCombatant:
    """A combatant by name; the name of a kind of mooks means the first of them.

    Args:
        with_hidden: Whether those are meant, too, of whom only the GM knows; after the others.

    Raises:
        UserError: If nobody there is called so.
    """
    wanted = name.partition("×")[0].strip().casefold()
    there: list[RpjCombatant] = [*fight.present, *(fight.hiding if with_hidden else ())]
    found = [one for one in there if one.name.casefold() == wanted]
    found = found or [one for one in there if one.mook is not None and one.mook.name.casefold() == wanted]
    if not found:
        names = ", ".join(one.name for one in there)
        what = f"There is nobody called {name} in this fight." if name else "Name somebody in this fight."
        raise UserError(what, f"Fighting: {names}.")
    return found[0]
