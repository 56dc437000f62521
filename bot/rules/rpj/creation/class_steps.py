"""The wizard pages for the class with its skills, and for gifts, faults and quirks."""

from bot.rules.kernel import Choice, Question, Step
from bot.rules.kernel.wording import counted, shown_number, signed
from bot.rules.rpj.creation import draft as drafts
from bot.rules.rpj.creation.draft import Making, pick_value
from bot.rules.rpj.module.module import CharacterClass, ClassSkill, Module, RpjTrait
from bot.rules.rpj.resolution.wording import character_points, left_words

CLASS_STEP, TRAITS_STEP = "class", "traits"
LONGEST_NOTE = 100


def purse_line(making: Making) -> str:
    """How the character points were spent, and how many are left.

    Source: RPJ-CHAR-03.
    """
    traits = [trait for id_ in making.new.traits if (trait := making.module.trait(id_))]
    parts = [
        (making.bonus, "attributes"),
        (-making.character_class.cost if making.character_class else 0, "class"),
        (-sum(trait.cost for trait in traits if trait.cost > 0), "gifts"),
        (-sum(trait.cost for trait in traits if trait.cost < 0), "faults"),
        (-making.skills_price, "skills"),
    ]
    spent = [f"{name} {signed(points)}" for points, name in parts if points]
    return " · ".join([character_points(making.start), *spent, f"{shown_number(making.left)} left"])


def cost_words(cost: int) -> str:
    """A cost in words: "costs 3", "gives 2", "costs nothing"."""
    return f"costs {cost}" if cost > 0 else f"gives {-cost}" if cost < 0 else "costs nothing"


def _note(*parts: str) -> str:
    return " · ".join(part for part in parts if part)[:LONGEST_NOTE]


# --- the class ---------------------------------------------------------------------------------


def class_step(making: Making) -> Step:
    """The page for the class and its class skills.

    Source: RPJ-CHAR-07, RPJ-CHAR-08, RPJ-CHAR-10, RPJ-CHAR-11.
    """
    module = making.module
    choices = tuple(
        Choice(one.id, one.name, _note(cost_words(one.cost), one.description)) for one in module.classes
    )
    picks = [
        Question(key=drafts.CLASS, prompt="Which class?", choices=choices, barred=_barred_classes(making))
    ]
    chosen = making.character_class
    if chosen and chosen.skills:
        picks.append(_class_skills_pick(module, chosen))
    text = "A class improves some of your skills and may come with quirks."
    text = "\n".join(_class_lines(module, chosen)) if chosen else text
    return Step(key=CLASS_STEP, title="Class", text=f"{purse_line(making)}\n{text}", picks=tuple(picks))


def _class_lines(module: Module, class_: CharacterClass) -> list[str]:
    quirks = [trait.name for id_ in class_.quirks if (trait := module.trait(id_))]
    carried = (*module.weapons, *module.armor, *module.gear)
    gear = [part.name for part in carried if part.id in class_.gear]
    lines = [f"{class_.name}, {cost_words(class_.cost)}. {class_.description}".strip()]
    lines += [f"Comes with: {', '.join(quirks)}."] if quirks else []
    return lines + ([f"Starts with: {', '.join(gear)}."] if gear else [])


def _barred_classes(making: Making) -> dict[str, str]:
    has = making.left + (making.character_class.cost if making.character_class else 0)
    return {
        one.id: f"{one.name} would cost {character_points(one.cost)}; {left_words(has)} for it."
        for one in making.module.classes
        if one.cost > has and one is not making.character_class
    }


def _class_skills_pick(module: Module, class_: CharacterClass) -> Question:
    slots = min(module.characters.class_slots, len(class_.skills))
    return Question(
        key=drafts.CLASS_SKILLS,
        prompt=f"{counted(slots, 'class skill')}, each at {signed(module.characters.class_bonus)}",
        choices=tuple(_class_skill(module, pick) for pick in class_.skills),
        least=0,
        most=max(slots, 1),
    )


def _class_skill(module: Module, pick: ClassSkill) -> Choice:
    skill = module.skill(pick.skill)
    name = skill.with_specialty(pick.specialty) if skill else pick.skill
    return Choice(pick_value(pick), name, _note(skill.description if skill else ""))


# --- gifts, faults, quirks ---------------------------------------------------------------------


def traits_step(making: Making) -> Step:
    """The page for gifts, faults and quirks.

    Source: RPJ-TRAIT-01 to RPJ-TRAIT-04, RPJ-CHAR-13.
    """
    offered = [trait for trait in making.module.traits if not trait.comes_with_class]
    pick = Question(
        key=drafts.TRAITS,
        prompt="Gifts, faults and quirks, as many as you like",
        choices=tuple(
            Choice(trait.id, trait.name, _note(f"{trait.kind}, {cost_words(trait.cost)}", trait.description))
            for trait in offered
        ),
        least=0,
        most=max(len(offered), 1),
        barred=_barred_traits(making, offered),
    )
    chosen = [trait for trait in offered if trait.id in making.new.traits]
    lines = [
        f"{trait.name} ({trait.kind}, {cost_words(trait.cost)}): {trait.description}" for trait in chosen
    ]
    return Step(
        key=TRAITS_STEP,
        title="Gifts, faults, quirks",
        text="\n".join([purse_line(making), *(lines or ["Gifts cost points; faults give points."])]),
        picks=(pick,),
    )


def _barred_traits(making: Making, offered: list[RpjTrait]) -> dict[str, str]:
    """The traits too expensive for the points left.

    Source: RPJ-CHAR-03.
    """
    return {
        trait.id: f"{trait.name} would cost {character_points(trait.cost)}; {left_words(making.left)}."
        for trait in offered
        if trait.id not in making.new.traits and trait.cost > max(making.left, 0)
    }
