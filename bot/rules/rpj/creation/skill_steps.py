"""The wizard pages for skills, bought one at a time, and about the character."""

from bot.rules.kernel import Choice, Question, Step, TextField, evolve
from bot.rules.rpj.advancement.skill_prices import skill_problems
from bot.rules.rpj.creation import draft as drafts
from bot.rules.rpj.creation.class_steps import purse_line
from bot.rules.rpj.creation.draft import Making, level_key, linked_key, specialty_key
from bot.rules.rpj.module.attributes import RpjAttribute
from bot.rules.rpj.module.module import RpjSkill
from bot.rules.rpj.resolution.wording import character_points, left_words

SKILLS_STEP, ABOUT_STEP = "skills", "about"
LONGEST_SHORT, LONGEST_BIOGRAPHY = 60, 600


def skills_step(making: Making) -> Step:
    """The page for buying skills, with costs and what is left.

    Source: RPJ-CHAR-06, RPJ-CHAR-14, RPJ-SKILL-01, RPJ-SKILL-02, RPJ-SKILL-21.
    """
    skill = making.module.skill(making.one(drafts.BUYING))
    picks = [_which(making)]
    blanks: tuple[TextField, ...] = ()
    if skill is not None:
        picks.append(_level_pick(making, skill))
        if len(skill.linked) > 1:
            picks.append(_linked_pick(skill))
        if skill.has_specialty and skill.specialties:
            picks.append(_specialty_pick(skill))
        elif skill.has_specialty:
            blanks = (_specialty_blank(skill),)
    return Step(key=SKILLS_STEP, title="Skills", text=_text(making, skill), picks=tuple(picks), blanks=blanks)


def _text(making: Making, skill: RpjSkill | None) -> str:
    lines = [purse_line(making), f"Your highest skill level for now: {making.skill_cap}."]
    bought = [(one, own) for own in making.skills if (one := making.module.skill(own.skill))]
    named = [
        f"{one.with_specialty(own.specialty)} {own.base} ({making.price(one)})"
        for one, own in sorted(bought, key=lambda pair: (-pair[1].base, pair[0].name))
    ]
    lines += [" · ".join(named)] if named else ["Choose a skill and its level, then the next skill."]
    lines += [f"{skill.name}: {skill.description}"] if skill and skill.description else []
    return "\n".join(lines)


def _which(making: Making) -> Question:
    return Question(
        key=drafts.BUYING,
        prompt="Which skill?",
        choices=tuple(
            _skill_choice(making, skill) for skill in sorted(making.module.skills, key=lambda one: one.name)
        ),
    )


def _skill_choice(making: Making, skill: RpjSkill) -> Choice:
    own = making.own(skill)
    linked = "/".join(skill.linked)
    is_class_skill = skill.id in {pick.skill for pick in making.class_skills}
    parts = [linked, "class skill" if is_class_skill else "", "" if skill.usable_at_zero else "trained only"]
    if own.base:
        parts.insert(0, f"costs {making.price(skill)}")
    label = f"{skill.with_specialty(own.specialty)} {own.base}" if own.base else skill.name
    return Choice(skill.id, label[:100], " · ".join(part for part in parts if part)[:100])


def _level_pick(making: Making, skill: RpjSkill) -> Question:
    has = making.left + making.price(skill)
    highest = max(making.skill_cap, making.own(skill).base)
    choices, barred = [Choice("0", "0 · not bought", f"leaves {has}")], {}
    for level in range(1, highest + 1):
        cost = making.price(skill, level)
        why = _why_not(making, skill, level, has)
        note = "not possible now" if why else f"leaves {has - cost}"
        choices.append(Choice(str(level), f"{level} · costs {cost}", note))
        if why and level > making.own(skill).base:
            barred[str(level)] = why
    return Question(
        key=level_key(skill), prompt=f"{skill.name}: which level?", choices=tuple(choices), barred=barred
    )


def _why_not(making: Making, skill: RpjSkill, level: int, has: int) -> str:
    """Why a level can't be bought, with its cost and what is left; empty where it can.

    Source: RPJ-CHAR-03, RPJ-CHAR-06, RPJ-CHAR-14.
    """
    cost = making.price(skill, level)
    plain = evolve(making.own(skill, level), specialty=_some_specialty(skill))
    wrong = list(skill_problems(plain, making.module, making.skill_cap))
    if not wrong and cost <= has:
        return ""
    would = f"{skill.name} {level} would cost {character_points(cost)}; {left_words(has)} for it."
    return " ".join([*wrong, would])


def _some_specialty(skill: RpjSkill) -> str:
    return next(iter(skill.specialties), "any") if skill.has_specialty else ""


def _linked_pick(skill: RpjSkill) -> Question:
    choices = tuple(Choice(one.value, RpjAttribute(one).word) for one in skill.linked)
    return Question(key=linked_key(skill), prompt=f"{skill.name}: which attribute?", choices=choices)


def _specialty_pick(skill: RpjSkill) -> Question:
    choices = tuple(Choice(name, name) for name in skill.specialties)
    return Question(key=specialty_key(skill), prompt=f"{skill.name}: which specialty?", choices=choices)


def _specialty_blank(skill: RpjSkill) -> TextField:
    return TextField(
        key=specialty_key(skill),
        prompt=f"{skill.name}: which specialty?"[:45],
        longest=LONGEST_SHORT,
        is_required=False,
    )


def about_step() -> Step:
    """The page about the character.

    Source: RPJ-CHAR-01.
    """
    return Step(
        key=ABOUT_STEP,
        title="About",
        text="Describe your character, if you like. You can leave everything empty.",
        blanks=(
            TextField(key="species", prompt="Species", longest=LONGEST_SHORT, is_required=False),
            TextField(key="gender", prompt="Gender", longest=LONGEST_SHORT, is_required=False),
            TextField(
                key="biography",
                prompt="Biography",
                longest=LONGEST_BIOGRAPHY,
                is_required=False,
                is_long=True,
            ),
        ),
    )
