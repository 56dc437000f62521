"""The checks a character can make now."""

from collections.abc import Iterable, Iterator, Mapping

from bot.rules.kernel import Choice, TextField
from bot.rules.kernel.acts import Act, ActGroup
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.wording import signed
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import Scene
from bot.rules.rpj.checks.attribute_rolls import AttributeOptions, RpjLuckOptions, RpjRolled
from bot.rules.rpj.checks.decision_cards import TableOptions
from bot.rules.rpj.checks.proposals import RpjProposeOptions
from bot.rules.rpj.checks.scene_details import DETAIL, DetailOptions
from bot.rules.rpj.checks.skill_check_command import (
    RpjCheckOptions,
    skill_attempt,
    skill_named,
    skill_toggles,
)
from bot.rules.rpj.checks.skill_checks import Situation, skill_check
from bot.rules.rpj.game_parts.suggesting import skills
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.defense_layers import Out
from bot.rules.rpj.module.effects import RpjCircumstances
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.teamwork.assisting import ASSISTED, AssistedOptions
from bot.rules.rpj.teamwork.opposing import OPPOSED, OpposedOptions
from bot.rules.shared.offering import Offering, choice_of, others_of

HOW: Mapping[str, str] = {"harder": "Difficulty above 7+", "bonus": "Bonus or penalty"}
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
    """Checks of one's own skills, the best first.

    Source: RPJ-SKILL-07.
    """
    yield from _skills(scene, offering, able.find(is_learned=True))


def other_check_acts(scene: Scene, offering: Offering, able: AbleSkills) -> Iterator[Act]:
    """Checks of skills never learned, checks with others, and tables.

    Source: RPJ-SKILL-07.
    """
    figure = figure_in(scene, scene.actor)
    yield from _skills(scene, offering, able.find(is_learned=False))
    yield from _together(scene, offering, tuple(able.find()))
    tables = ((Choice(one.id, one.name), TableOptions(name=one.id)) for one in figure.module.tables)
    yield from offering.menu(ActGroup.CHECK, "table", "Roll on a table …", "name", tables)


def _lucky(scene: Scene) -> Mapping[str, str]:
    return LUCKY if lucky_breaks_left(scene.actor) else {}


def _skills(scene: Scene, offering: Offering, able: Iterable[tuple[RpjSkill, str]]) -> Iterator[Act]:
    figure, adjusts = figure_in(scene, scene.actor), {**HOW, **FIT, **_lucky(scene)}
    for skill, words in able:
        options = RpjCheckOptions(skill=skill.id)
        yield offering.act(ActGroup.CHECK, "check", options, words, adjusts=adjusts)
        if figure.base_level(skill) > 0:
            for toggle in skill_toggles(figure, skill):
                level = _modifier(figure, skill, toggle)
                claimed = RpjCheckOptions(skill=skill.id, toggles=toggle)
                label = f"{skill.name} {signed(level)}: {toggle}"
                yield offering.act(ActGroup.CHECK, "check", claimed, label, adjusts=adjusts)


def _modifier(figure: Stats, skill: RpjSkill, toggle: str) -> int:
    """What is added to a check of a skill while a trait's condition applies."""
    situation = Situation(now=RpjCircumstances(toggles=(toggle,)))
    return skill_check(figure, skill, situation).modifier


def attribute_acts(scene: Scene, offering: Offering) -> Iterator[Act]:
    """Attributes, luck, and details of the scene.

    Source: RPJ-ATTR-03 to RPJ-ATTR-07.
    """
    figure, lucky = figure_in(scene, scene.actor), _lucky(scene)
    adjusts = {**ROLLED, **HOW, **lucky}
    is_able = figure.sheet.health.out is Out.NO
    for attribute in sorted(RpjAttribute, key=lambda one: -figure.level(one)) if is_able else ():
        if attribute is not RpjAttribute.LUCK:
            label = f"{attribute.word} {signed(figure.level(attribute))}"
            options = AttributeOptions(attribute=attribute)
            yield offering.act(ActGroup.CHECK, "attribute", options, label, adjusts=adjusts)
    for attribute in RpjAttribute:
        if attribute is not RpjAttribute.LUCK:
            label = f"Save with {attribute.word} {signed(figure.level(attribute))}"
            save = AttributeOptions(attribute=attribute, rolled=RpjRolled.SAVE)
            yield offering.act(ActGroup.CHECK, "attribute", save, label, adjusts={**HOW, **lucky})
    luck = f"Luck {signed(figure.level(RpjAttribute.LUCK))}: how bad does it get?"
    yield offering.act(ActGroup.CHECK, "luck", RpjLuckOptions(), luck, adjusts={**HOW, **lucky})
    question = TextField(key="question", prompt="Is there …?", longest=150)
    asked = DetailOptions(question="?")
    label = "Ask for a detail of the scene …"
    yield offering.act(ActGroup.CHECK, DETAIL, asked, label, blanks=(question,))


def _together(scene: Scene, offering: Offering, able: tuple[tuple[RpjSkill, str], ...]) -> Iterator[Act]:
    """Opposed and assisted checks, and proposals to the GM.

    Source: RPJ-SKILL-08, RPJ-SKILL-13, RPJ-SKILL-16.
    """
    others = [] if scene.actor.is_hidden else [choice_of(one) for one in others_of(scene)]
    for skill, words in able[: MOST_OPPOSED if others else 0]:
        options = OpposedOptions(skill=skill.id, target=others_of(scene)[0].id)
        label = f"Against someone: {words} …"
        bonus = {"bonus": HOW["bonus"]}
        yield offering.act(
            ActGroup.CHECK, OPPOSED, options, label, choices=others, chosen="target", adjusts=bonus
        )
    if not scene.actor.is_hidden:
        asking = [(Choice(skill.id, words), AssistedOptions(skill=skill.id)) for skill, words in able]
        yield from offering.menu(
            ActGroup.CHECK, ASSISTED, "With someone's help …", "skill", asking, is_tried=False, adjusts=HOW
        )
    if able:
        blanks = (
            TextField(key="skill", prompt="Skill"),
            TextField(key="how", prompt="What you do with it", longest=150),
        )
        proposal = RpjProposeOptions(skill=able[0][0].id, how="?")
        yield offering.act(
            ActGroup.CHECK, "propose", proposal, "Propose another skill (GM) …", blanks=blanks, adjusts=HOW
        )
