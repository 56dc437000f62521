"""What one looks up before a check: the difficulty ladder with chances, and passive levels."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, declare
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import percent
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.character.typed_modifiers import level_words, signed
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.checks.skill_checks import skill_check
from bot.rules.rpj.module.difficulties import Rung, average_difficulty, suiting_targets
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import BASE_TARGET, RpjCheckInputs


class LadderOptions(Document):
    """Whose chances the ladder tells.

    Attributes:
        skill: A skill of the character that asks; its roll bonuses count.
        level: An effective level instead.
    """

    skill: str = Field(default="", max_length=100)
    level: int = Field(default=0, ge=-10, le=30)


class RpjPassiveOptions(Document):
    """Whose passive levels are looked up.

    Attributes:
        skill: In which skill.
        who: The characters.
    """

    skill: str = Field(max_length=100)
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=25)


def show_ladder(scene: Scene, options: LadderOptions, _dice: Dice) -> Outcome:
    """The difficulty ladder, each name with its target numbers and the chances of a level.

    Source: RPJ-SKILL-24 to RPJ-SKILL-26.
    """
    module = module_in(scene.settings)
    what = f"level {level_words(options.level)}"
    inputs = RpjCheckInputs(
        terms=(NamedTerm(label="level", value=options.level),), criticals=module.criticals
    )
    if options.skill.strip():
        figure = figure_in(scene, scene.actor)
        skill = skill_named(module, options.skill)
        inputs = skill_check(figure, skill)
        what = f"{skill.name} {signed(inputs.modifier)}"
    average = average_difficulty(inputs.modifier)
    suiting = " · ".join(
        f"{one.target}+ {_chance(inputs, one.target)}" for one in suiting_targets(inputs.modifier)
    )
    return Outcome(
        scene=scene,
        headline=f"looks at the difficulties for {what}",
        notes=(
            *(_rung_line(rung, inputs) for rung in module.ladder),
            f"Everyday for it: difficulty {level_words(average)}, {BASE_TARGET + average}+.",
            f"From nearly sure to hardly ever: {suiting}",
        ),
        is_public=False,
    )


declare("ladder", LadderOptions, show_ladder, needs_actor=False)


def _chance(inputs: RpjCheckInputs, target: int) -> str:
    odds = check_odds(inputs.model_copy(update={"difficulty": target - BASE_TARGET}))
    needed = odds.enough
    return "" if needed is None else percent(needed)


def _rung_line(rung: Rung, inputs: RpjCheckInputs) -> str:
    ends = [rung.lowest] if rung.highest in (None, rung.lowest) else [rung.lowest, rung.highest or 0]
    chances = " to ".join(_chance(inputs, BASE_TARGET + end) for end in ends)
    return f"{rung.name} {rung.targets} · {chances}"


def show_passive(scene: Scene, options: RpjPassiveOptions, _dice: Dice) -> Outcome:
    """Everybody's passive level in a skill, for the GM's eyes alone.

    Source: RPJ-SKILL-06.
    """
    skill = skill_named(module_in(scene.settings), options.skill)
    levels = [
        (figure_in(scene, character).passive_level(skill), character.name)
        for character in (scene.character(who) for who in dict.fromkeys(options.who))
    ]
    levels.sort(key=lambda one: -one[0])
    unused = () if skill.has_passive_level else (f"The module does not use passive levels of {skill.name}.",)
    return Outcome(
        scene=scene,
        headline=f"looks at passive {skill.name}",
        notes=(*(f"{name} {level_words(level)}" for level, name in levels), *unused),
        is_public=False,
    )


declare("passive", RpjPassiveOptions, show_passive, gm_only=True, needs_actor=False)
