"""Look-ups before a check: the difficulty ladder with chances, and passive levels."""

from pydantic import Field

from bot.rules.kernel import CharacterId, Document, NamedTerm, declare, evolve
from bot.rules.kernel.dice import Dice
from bot.rules.kernel.odds import percent
from bot.rules.kernel.wording import shown_number, signed
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.sheet import Outcome, Scene
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.checks.skill_checks import skill_check
from bot.rules.rpj.module.difficulties import Rung, average_difficulty, suiting_targets
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.check import check_odds
from bot.rules.rpj.resolution.inputs import BASE_TARGET, RpjCheckInputs


class LadderOptions(Document):
    """The options of the difficulty ladder.

    Attributes:
        skill: A skill of the character; its roll bonuses count.
        level: Or an effective level.
    """

    skill: str = Field(default="", max_length=100)
    level: int = Field(default=0, ge=-10, le=30)


class RpjPassiveOptions(Document):
    """The options of looking up passive levels.

    Attributes:
        skill: The skill.
        who: The characters.
    """

    skill: str = Field(max_length=100)
    who: tuple[CharacterId, ...] = Field(min_length=1, max_length=25)


def show_ladder(scene: Scene, options: LadderOptions, _dice: Dice) -> Outcome:
    """Show the difficulty ladder: each name with its target numbers and a level's chances.

    Source: RPJ-SKILL-24 to RPJ-SKILL-26.
    """
    module = module_in(scene.settings)
    what = f"level {shown_number(options.level)}"
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
            f"A routine task for this {'character' if options.skill.strip() else 'level'}: "
            f"difficulty {shown_number(average)} ({BASE_TARGET + average}+).",
            f"By target number: {suiting}",
        ),
        is_public=False,
    )


declare("ladder", LadderOptions, show_ladder, needs_actor=False)


def _chance(inputs: RpjCheckInputs, target: int) -> str:
    odds = check_odds(evolve(inputs, difficulty=target - BASE_TARGET))
    needed = odds.enough
    return "" if needed is None else percent(needed)


def _rung_line(rung: Rung, inputs: RpjCheckInputs) -> str:
    ends = [rung.lowest] if rung.highest in (None, rung.lowest) else [rung.lowest, rung.highest or 0]
    chances = " to ".join(_chance(inputs, BASE_TARGET + end) for end in ends)
    return f"{rung.name} {rung.targets} · {chances}"


def show_passive(scene: Scene, options: RpjPassiveOptions, _dice: Dice) -> Outcome:
    """Show characters' passive levels in a skill, to the GM only.

    Source: RPJ-SKILL-06.
    """
    skill = skill_named(module_in(scene.settings), options.skill)
    levels = [
        (figure_in(scene, character).passive_level(skill), character.name)
        for character in (scene.character(who) for who in dict.fromkeys(options.who))
    ]
    levels.sort(key=lambda one: -one[0])
    unused = () if skill.has_passive_level else (f"This module doesn't use passive levels for {skill.name}.",)
    return Outcome(
        scene=scene,
        headline=f"looks at passive {skill.name}",
        notes=(*(f"{name} {shown_number(level)}" for level, name in levels), *unused),
        is_public=False,
    )


declare("passive", RpjPassiveOptions, show_passive, gm_only=True, needs_actor=False)
