"""The ruleset's procedures, rolls and documents by key, and what a character can do now with them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType

from bot.rules.kernel import Choice, Document, TextField, procedures_of, rolls_of
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted, signed
from bot.rules.kernel.procedures import Act, ActGroup, ActPart
from bot.rules.kernel.tracker import ENCOUNTER, JOIN, LEAVE, START
from bot.rules.rpj.character.incapacity import Wait
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import Character, Scene, Stats, figure_in
from bot.rules.rpj.checks.proposals import DETAIL, TALLY, Details
from bot.rules.rpj.checks.skill_checks import (
    EASIEST,
    HARDEST,
    RpjRolled,
    Situation,
    skill_attempt,
    skill_check,
    skill_named,
    skill_toggles,
)
from bot.rules.rpj.checks.tables import DECKS, Deck
from bot.rules.rpj.combat.combatant import RpjCombatant, fighter_id
from bot.rules.rpj.combat.commands.board import TURN_PROCEDURES
from bot.rules.rpj.combat.commands.cinematic_commands import defer_choices
from bot.rules.rpj.combat.commands.recovering import (
    HELP,
    TREAT,
)
from bot.rules.rpj.combat.commands.turn_menu import attack_choices
from bot.rules.rpj.combat.fight import FIGHTS_KEPT, Fight, Stance
from bot.rules.rpj.combat.rules.combatants import weapons_of
from bot.rules.rpj.combat.rules.turns import INITIATIVE, ROLL_OFF, Stage
from bot.rules.rpj.game_parts.acts_things import (
    growth_acts,
    magic_acts,
    magic_rest_acts,
    spending_acts,
    thing_acts,
)
from bot.rules.rpj.game_parts.rpj_gm import skills
from bot.rules.rpj.game_parts.rpj_resources import REST_PROCEDURES
from bot.rules.rpj.mass_commands import BATTLE, BattleAt, find_round
from bot.rules.rpj.module.basics import RpjAttribute, difficulty_label
from bot.rules.rpj.module.decision_tables import CHOICE, DECISION
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import RpjCircumstances
from bot.rules.rpj.module.module import Pack, RpjSkill
from bot.rules.rpj.new_characters import LUCK_LEVEL, POOL
from bot.rules.rpj.resolution.check import CHECK
from bot.rules.rpj.resolution.check_inputs import BASE_TARGET
from bot.rules.rpj.teamwork.assisting import ASSISTED
from bot.rules.rpj.teamwork.opposing import OPPOSED
from bot.rules.rpj.trading import MARKET, Market
from bot.rules.shared.offering import Offering, choice_of, named, numbers, others_of

HOW: Mapping[str, str] = {"harder": "Difficulty", "bonus": "Bonus or penalty"}
FIT: Mapping[str, str] = {"fit": "How well the skill fits"}
LUCKY: Mapping[str, str] = {"lucky_break": "Spend a Lucky Break first"}
ROLLED: Mapping[str, str] = {"rolled": "What to add"}
MOST_OPPOSED = 6


class AbleSkills:
    """The skills that can be rolled now, with what is shown of each, the best of one's own first.

    Each is looked at once, and only when it is asked for.

    Args:
        scene: The scene, in which somebody acts.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._figure = figure_in(scene, scene.actor)
        self._known: dict[str, str | None] = {}

    def find(self, *, is_learned: bool | None = None) -> Iterator[tuple[RpjSkill, str]]:
        """The learned skills, those that were never learned, or by default all of them."""
        if self._figure.sheet.health.out is not Out.NO:
            return
        for name in skills(self._scene.actor, self._scene.settings):
            skill = skill_named(self._figure.module, name)
            if is_learned in {None, self._figure.base_level(skill) > 0}:
                words = self._words(name, skill)
                if words is not None:
                    yield skill, words

    def _words(self, name: str, skill: RpjSkill) -> str | None:
        """What is shown of a skill; None if it needs training, or a condition prevents it."""
        if name not in self._known:
            self._known[name] = self._looked_at(skill)
        return self._known[name]

    def _looked_at(self, skill: RpjSkill) -> str | None:
        try:
            attempt = skill_attempt(self._scene.actor.id, self._figure, skill, Situation())
        except UserError:
            return None
        return f"{attempt.words} {signed(attempt.inputs.modifier)}"


def own_skill_acts(scene: Scene, offering: Offering, able: AbleSkills) -> Iterator[Act]:
    """Checks of one's own skills, the best first. [RPJ-SKILL-07]"""
    yield from _skills(scene, offering, able.find(is_learned=True))


def other_check_acts(scene: Scene, offering: Offering, able: AbleSkills) -> Iterator[Act]:
    """Checks of skills never learned, checks with others, and tables. [RPJ-SKILL-07]"""
    figure = figure_in(scene, scene.actor)
    yield from _skills(scene, offering, able.find(is_learned=False))
    yield from _together(scene, offering, tuple(able.find()))
    tables = named(figure.module.tables)
    yield from offering.menu(ActGroup.CHECK, "table", "Roll on a table …", "name", tables)


def _difficulties(figure: Stats) -> Mapping[str, tuple[Choice, ...]]:
    """Each difficulty with its name and target number: "Easy (7+)"."""

    def words(harder: int) -> str:
        return f"{difficulty_label(harder, figure.module.ladder)} ({BASE_TARGET + harder}+)"

    return {"harder": numbers(range(EASIEST, HARDEST + 1), words)}


def _lucky(scene: Scene) -> Mapping[str, str]:
    return LUCKY if lucky_breaks_left(scene.actor) else {}


def _skills(scene: Scene, offering: Offering, able: Iterable[tuple[RpjSkill, str]]) -> Iterator[Act]:
    figure, adjusts = figure_in(scene, scene.actor), {**HOW, **FIT, **_lucky(scene)}
    check = partial(offering.act, ActGroup.CHECK, "check", adjusts=adjusts, values=_difficulties(figure))
    for skill, words in able:
        yield check(words, brief=skill.name, skill=skill.id)
        if figure.base_level(skill) > 0:
            for toggle in skill_toggles(figure, skill):
                label = f"{skill.name} {signed(_modifier(figure, skill, toggle))}: {toggle}"
                yield check(label, skill=skill.id, toggles=toggle)


def _modifier(figure: Stats, skill: RpjSkill, toggle: str) -> int:
    """What is added to a check of a skill while a trait's condition applies."""
    situation = Situation(now=RpjCircumstances(toggles=(toggle,)))
    return skill_check(figure, skill, situation).modifier


def attribute_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Attributes, luck, and details of the scene. [RPJ-ATTR-03 to RPJ-ATTR-07]"""
    figure, adjusts = figure_in(scene, scene.actor), {**HOW, **_lucky(scene)}
    all_of_it, values = {**ROLLED, **adjusts}, _difficulties(figure)
    check = partial(offering.act, ActGroup.CHECK, "attribute", values=values)
    words = {one: f"{one.word} {signed(figure.level(one))}" for one in RpjAttribute}
    luck = words.pop(RpjAttribute.LUCK)
    if figure.sheet.health.out is Out.NO:
        for attribute in sorted(words, key=lambda one: -figure.level(one)):
            label, word = words[attribute], attribute.word
            yield check(label, adjusts=all_of_it, brief=word, attribute=attribute)
    for attribute, label in words.items():
        save = f"Save with {label}"
        yield check(save, adjusts=adjusts, attribute=attribute, rolled=RpjRolled.SAVE)
    label = f"{luck}: how bad does it get?"
    yield offering.act(ActGroup.CHECK, "luck", label, adjusts=adjusts, values=values)
    question = TextField(key="question", prompt="Is there …?", longest=150)
    label = "Ask for a detail of the scene …"
    yield offering.act(ActGroup.CHECK, DETAIL, label, blanks=(question,))


def _together(scene: Scene, offering: Offering, able: tuple[tuple[RpjSkill, str], ...]) -> Iterator[Act]:
    """Opposed and assisted checks, and proposals to the GM. [RPJ-SKILL-08, RPJ-SKILL-13, RPJ-SKILL-16]"""
    others = [] if scene.actor.is_hidden else [choice_of(one) for one in others_of(scene)]
    values = _difficulties(figure_in(scene, scene.actor))
    for skill, words in able[: MOST_OPPOSED if others else 0]:
        label = f"Against someone: {words} …"
        bonus = {"bonus": HOW["bonus"]}
        yield offering.act(
            ActGroup.CHECK,
            OPPOSED,
            label,
            choices=others,
            chosen="target",
            adjusts=bonus,
            skill=skill.id,
        )
    if not scene.actor.is_hidden:
        asking = [Choice(skill.id, words) for skill, words in able]
        yield from offering.menu(
            ActGroup.CHECK,
            ASSISTED,
            "With someone's help …",
            "skill",
            asking,
            is_tried=False,
            adjusts=HOW,
            values=values,
        )
    if able:
        blanks = (
            TextField(key="skill", prompt="Skill"),
            TextField(key="how", prompt="What you do with it", longest=150),
        )
        yield offering.act(
            ActGroup.CHECK,
            "propose",
            "Propose another skill (GM) …",
            blanks=blanks,
            adjusts=HOW,
            values=values,
            skill=able[0][0].id,
        )


STANCES = {
    Stance.ASK: "Ask me for each attack",
    Stance.BEST: "Always the better defense",
    Stance.DODGE: "Always dodge",
    Stance.ABSORB: "Always absorb",
}


def fight_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Starting or joining a fight, what a combatant can do besides the board's actions, and battles.

    [RPJ-GCS-12 to RPJ-GCS-14, RPJ-GCS-20, RPJ-GCS-26, RPJ-MASS-06, RPJ-MASS-09]
    """
    fight = FIGHTS_KEPT.find(scene)
    if fight is None:
        yield from _starting(scene, offering)
    elif (own := fight.combatant(offering.who)) is not None:
        yield from _combatant(Stage.of(scene), own, offering)
    elif not scene.actor.is_hidden:
        yield offering.act(ActGroup.FIGHT, JOIN, "Join the fight")
    if find_round(scene) is not None:
        for procedure, label in (
            ("mass.contribute", "Fight in the battle"),
            ("mass.command", "Command your side of the battle"),
        ):
            yield from offering.if_possible(ActGroup.FIGHT, procedure, label)


def is_in_or_may_join(scene: Scene) -> bool:
    """Whether the character has a fight here or can have one; then something about it is always offered."""
    fight = FIGHTS_KEPT.find(scene)
    return not scene.actor.is_hidden or (fight is not None and fight.combatant(scene.actor.id) is not None)


def _starting(scene: Scene, offering: Offering) -> Iterator[Act]:
    if scene.actor.is_hidden:
        return
    foes = sorted(others_of(scene), key=lambda one: one.owner is not None)
    found, label = map(choice_of, foes), "Start a fight with …"
    yield from offering.menu(ActGroup.FIGHT, START, label, "others", found, is_tried=False)
    yield offering.act(ActGroup.FIGHT, START, "Start a fight")


def _combatant(stage: Stage, own: RpjCombatant, offering: Offering) -> Iterator[Act]:
    if stage.fight.has_begun:
        yield from _in_turn(stage, offering)
        if not stage.fight.acts(own) and not stage.steps:
            later = defer_choices(stage, own)
            yield from offering.menu(ActGroup.FIGHT, "fight.defer", "Act later this round …", "after", later)
    else:
        beside = named(
            one
            for one in stage.fight.present
            if one.id != own.id and one.group != own.group and one.region == own.region
        )
        yield from offering.menu(ActGroup.FIGHT, "fight.place", "Start beside …", "beside", beside)
    now = stage.fight.stance(own)
    stances = [Choice(one.value, words) for one, words in STANCES.items() if one is not now]
    label = f"Defenses: {STANCES[now].lower()} …"
    yield from offering.menu(ActGroup.FIGHT, "fight.defense", label, "defense", stances)
    yield from offering.if_possible(ActGroup.FIGHT, LEAVE, "Leave the fight")


def _out_of_reach(stage: Stage, fighter: RpjCombatant, offering: Offering) -> Iterator[Act]:
    """The attack that reaches nobody, greyed."""
    can_act = stage.fight.acts(fighter) and fighter.turn.actions
    if not can_act or stage.fight.grapple(fighter.id) is not None:
        return
    if not any(True for _ in attack_choices(stage, fighter)):
        why_not = "What you hold reaches nobody. Move, or take another weapon in hand."
        yield offering.act(ActGroup.FIGHT, "fight.attack", "Attack", why_not=why_not)


def _in_turn(stage: Stage, offering: Offering) -> Iterator[Act]:
    """Weapons, other tasks and shared turns, while it is one's own turn."""
    who = fighter_id(offering.who)
    fighter = stage.fight.fighter(who)
    yield from _out_of_reach(stage, fighter, offering)
    in_hand = fighter.wielded
    swaps = named(one for one in weapons_of(stage.battle[who].figure) if one.id not in in_hand)
    yield from offering.menu(ActGroup.FIGHT, "fight.swap", "Switch weapon to …", "weapons", swaps)
    yield from offering.if_possible(ActGroup.FIGHT, "fight.together", "Act together with the next")
    what = (TextField(key="what", prompt="What you do", longest=200),)
    for full, cost in ((False, "1 action"), (True, "the whole turn")):
        label = f"Do something else … ({cost})"
        yield from offering.if_possible(ActGroup.FIGHT, "fight.task", label, blanks=what, full=full)


def health_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Rolls of those who are out, help and treatment for friends, and ends of conditions.

    [RPJ-GCS-33, RPJ-GCS-35, RPJ-GCS-37, RPJ-GCS-39, RPJ-COND-06, RPJ-COND-07]
    """
    figure = figure_in(scene, scene.actor)
    health = figure.sheet.health
    if health.is_bleeding:
        yield from offering.if_possible(ActGroup.REST, Wait.BLEEDING.value, "Roll to stop bleeding out")
    if health.out is Out.KNOCKED_OUT:
        yield from offering.if_possible(ActGroup.REST, Wait.WAKING.value, "Roll to wake up")
    if health.out is Out.NO:
        yield from _tending(scene, offering)
    if figure.plays(Pack.CONDITIONS):
        yield from _conditions(scene, offering)


def _tending(scene: Scene, offering: Offering) -> Iterator[Act]:
    friends = [_patient(one) for one in others_of(scene) if _is_friend(scene, one) and _is_hurt(one)]
    yield from offering.menu(ActGroup.REST, HELP, "Help up … (1 minute)", "target", friends)
    time = counted(figure_in(scene, scene.actor).module.combat.treat_hours, "hour")
    yield from offering.menu(ActGroup.REST, TREAT, f"Treat … ({time})", "target", friends)


def _is_hurt(one: Character) -> bool:
    return one.sheet.health.out is not Out.NO or one.sheet.health.is_weak


def _is_friend(scene: Scene, one: Character) -> bool:
    """Whether somebody is on the acting character's side: of the fight, else of the same kind of player."""
    fight = FIGHTS_KEPT.find(scene)
    sides = {} if fight is None else {combatant.id: combatant.side for combatant in fight.combatants}
    own, other = fighter_id(scene.actor.id), fighter_id(one.id)
    if own in sides and other in sides:
        return sides[own] is sides[other]
    return (one.owner is None) is (scene.actor.owner is None)


def _patient(one: Character) -> Choice:
    health = one.sheet.health
    return choice_of(one, "weak" if health.out is Out.NO else str(health.out))


def _conditions(scene: Scene, offering: Offering) -> Iterator[Act]:
    for one in scene.actor.sheet.conditions:
        name = one.condition.name
        label = f"Recover from {name}"
        yield from offering.if_possible(ActGroup.REST, "condition.recover", label, name=name)
        way = one.condition.escape
        cost = f" ({way.actions} action{'s' * (way.actions != 1)} in a fight)" if way else ""
        label = f"Escape {name}{cost}"
        yield from offering.if_possible(ActGroup.REST, "condition.escape", label, name=name)


ROLLS = rolls_of(CHECK, CHOICE, DECISION, POOL, LUCK_LEVEL, INITIATIVE, ROLL_OFF)
PROCEDURES = procedures_of("bot.rules.rpj", *TURN_PROCEDURES, *REST_PROCEDURES)
DOCUMENTS: MappingProxyType[str, type[Document]] = MappingProxyType(
    {DECKS: Deck, TALLY: Details, ENCOUNTER: Fight, MARKET: Market, BATTLE: BattleAt}
)


def acts(scene: Scene) -> tuple[ActPart, ...]:
    """What the acting character can do now, the most used first in each group."""
    sheet, offering = scene.actor.sheet, Offering(scene, PROCEDURES)
    if sheet.health.out is Out.DEAD:
        return ()
    if sheet.mook is not None:
        return (ActPart(partial(fight_acts, scene, offering), ActGroup.FIGHT),)
    able = AbleSkills(scene)
    return (
        ActPart(partial(own_skill_acts, scene, offering, able), ActGroup.CHECK),
        ActPart(partial(attribute_acts, scene, offering), ActGroup.CHECK, is_certain=True),
        ActPart(partial(other_check_acts, scene, offering, able), ActGroup.CHECK),
        ActPart(partial(fight_acts, scene, offering), ActGroup.FIGHT, is_certain=is_in_or_may_join(scene)),
        ActPart(partial(magic_acts, scene, offering), ActGroup.USE),
        ActPart(partial(thing_acts, scene, offering), ActGroup.USE),
        ActPart(partial(spending_acts, scene, offering), ActGroup.SPEND),
        ActPart(partial(health_acts, scene, offering), ActGroup.REST),
        ActPart(partial(magic_rest_acts, scene, offering), ActGroup.REST),
        ActPart(partial(growth_acts, scene, offering), ActGroup.GROW),
    )
