"""How characters join a campaign: made step by step, ready-made, or plain NPCs."""

from bot.rules.kernel import Creation, Draft, Problem, Step, evolve
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.creation.attribute_steps import LEVELS_STEP, METHODS_STEP, levels_step, methods_step
from bot.rules.rpj.creation.class_steps import CLASS_STEP, class_step, traits_step
from bot.rules.rpj.creation.draft import Making
from bot.rules.rpj.creation.new_characters import build_sheet, creation_problems
from bot.rules.rpj.creation.ready_made import ready_made
from bot.rules.rpj.creation.skill_steps import about_step, skills_step
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.module import GenerationMethod
from bot.rules.rpj.module.settings import RpjSettings, module_in

AVERAGE = 3


def _making(draft: Draft, settings: RpjSettings) -> Making:
    return Making(draft, module_in(settings))


def creation_steps(draft: Draft, settings: RpjSettings) -> tuple[Step, ...]:
    """The wizard pages for a draft.

    Source: RPJ-CHAR-12.
    """
    making = _making(draft, settings)
    module = making.module
    steps = [methods_step(making), levels_step(making)]
    steps += [class_step(making)] if module.classes else []
    steps += [traits_step(making)] if module.traits else []
    steps += [skills_step(making)] if module.skills else []
    return (*steps, about_step())


def draft_problems(draft: Draft, settings: RpjSettings) -> tuple[Problem, ...]:
    """Everything still missing or not allowed, in the order of the steps.

    Source: RPJ-CHAR-12, RPJ-ATTR-16.
    """
    making = _making(draft, settings)
    problems: list[Problem] = []
    if making.method is None:
        problems.append(Problem(METHODS_STEP, "Choose a method for the attributes."))
    elif not making.is_ready_for_levels:
        problems.append(Problem(METHODS_STEP, _before_levels(making)))
    if making.new.luck is None:
        problems.append(Problem(METHODS_STEP, "Roll Luck."))
    lucky = making.new if making.new.luck is not None else evolve(making.new, luck=0)
    for problem in creation_problems(lucky, making.module, making.start):
        if problem.where == "attributes":
            problems += [Problem(LEVELS_STEP, problem.sentence)] if making.is_ready_for_levels else []
        else:
            problems.append(Problem(_STEPS.get(problem.where, problem.where), problem.sentence))
    return tuple(problems)


_STEPS = {"class skills": CLASS_STEP}


def _before_levels(making: Making) -> str:
    """What is missing before levels can be assigned."""
    if making.is_rolled:
        return "Roll the levels."
    if making.method is GenerationMethod.ARRAY and making.array is None:
        return "Choose an array."
    return "Choose a primary category."


def build(draft: Draft, settings: RpjSettings) -> RpjSheet:
    """The sheet of a draft without problems.

    Source: RPJ-CHAR-01, RPJ-CHAR-12.
    """
    making = _making(draft, settings)
    about = {key: making.one(key) for key in ("species", "gender", "biography")}
    return evolve(build_sheet(making.new, making.module, making.start), **about)


def plain_sheet() -> RpjSheet:
    """A plain NPC sheet: average attributes, nothing bought.

    Source: RPJ-GM-02.
    """
    return RpjSheet(attributes=dict.fromkeys(RpjAttribute, AVERAGE))


def _offered(settings: RpjSettings) -> dict[str, RpjSheet]:
    return dict(ready_made(settings))


CREATION = Creation(
    steps=creation_steps,
    problems=draft_problems,
    build=build,
    npc=plain_sheet,
    ready_made_in=_offered,
    needs_leave=lambda settings: settings.approve_characters,
)
