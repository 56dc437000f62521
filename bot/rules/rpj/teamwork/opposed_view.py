"""The message of an opposed check: who has agreed, the opposing skill, the result."""

from bot.rules.kernel import Audience, CharacterId, Choice, Family, FollowUp, SharedPrompt, Verdict, View
from bot.rules.kernel.wording import shown_number
from bot.rules.rpj.character.figure import Stats
from bot.rules.rpj.character.figures import figure_in
from bot.rules.rpj.character.lucky_breaks import lucky_breaks_left
from bot.rules.rpj.character.sheet import Character, Scene
from bot.rules.rpj.checks.skill_check_command import skill_named
from bot.rules.rpj.module.settings import module_in
from bot.rules.rpj.resolution.wording import lucky_breaks
from bot.rules.rpj.teamwork.lookup import found, name_of
from bot.rules.rpj.teamwork.opposing import (
    NO,
    Opposed,
    OpposedAtOptions,
    OpposedStandOptions,
    RpjRefuseOptions,
    note_opposed,
    opposed_attempt,
    ready,
    result_of_opposed,
)

MOST_SKILLS = 25


def view_opposed(opposed: Opposed, scene: Scene) -> View:
    """The message: who has agreed, the opposing skill, the result."""
    by, target = found(scene, opposed.by), found(scene, opposed.target)
    if opposed.answer is not None:
        return View(
            parts=(opposed.answer.part,),
            lines=_stands(scene, opposed, target),
            verdict=opposed.answer.verdict,
            headline=f"checks {_skill_name(scene, opposed)} against {name_of(scene, opposed.target)}",
        )
    if opposed.is_resisted:
        cost, name = module_in(scene.settings).luck.resist_cost, name_of(scene, opposed.target)
        words = f"{name} spends {lucky_breaks(cost)}."
        if opposed.luck_left is not None:
            words = f"{name}: Lucky Breaks {opposed.luck_left + cost} → {opposed.luck_left}"
        return View(lines=(words,), verdict=Verdict(Family.NEWS, "resisted: no effect"))
    if opposed.refusal:
        return View(lines=(opposed.refusal,), verdict=Verdict(Family.NEWS, "not agreed"))
    if by is None or target is None:
        return View(lines=("One of the two has left.",), verdict=Verdict(Family.NEWS, "called off"))
    if opposed.may_roll:
        return View(lines=_stands(scene, opposed, target), follow_ups=(_roll_button(scene, opposed, by),))
    talk = ("This is between players' characters: talk it through first.",) if opposed.is_pvp else ()
    return View(
        lines=(*talk, *_stands(scene, opposed, target), *_missing(opposed, target)),
        follow_ups=(*_target_buttons(scene, opposed, by, target), *_gm_buttons(opposed)),
    )


def _skill_name(scene: Scene, opposed: Opposed) -> str:
    return skill_named(module_in(scene.settings), opposed.check.skill).name


def _stands(scene: Scene, opposed: Opposed, target: Character | None) -> tuple[str, ...]:
    if not opposed.their_skill or target is None:
        return ()
    figure = figure_in(scene, target)
    skill = skill_named(figure.module, opposed.their_skill)
    level = shown_number(figure.effective_level(skill))
    return (f"{target.name} opposes with {skill.name} {level}. On a tie, whoever rolls wins.",)


def _missing(opposed: Opposed, target: Character) -> tuple[str, ...]:
    waits = [] if opposed.their_skill else [f"{target.name}'s player"]
    waits += ["the GM"] if opposed.is_pvp and not opposed.consent.gm else []
    return (f"Waiting for {' and '.join(waits)}.",) if waits else ()


def _roll_button(scene: Scene, opposed: Opposed, by: Character) -> FollowUp:
    attempt = ready(scene, opposed)
    return FollowUp(
        procedure="roll_opposed",
        options=OpposedAtOptions(at=opposed.key),
        label=f"{by.name[:40]}: roll against {attempt.inputs.target}+ · {attempt.chance}",
        character=by.id,
        group="roll",
    )


def _target_buttons(scene: Scene, opposed: Opposed, by: Character, target: Character) -> tuple[FollowUp, ...]:
    """The other player's buttons: agree with a skill, refuse, or resist for a Lucky Break."""
    if opposed.their_skill:
        return ()
    figure = figure_in(scene, target)
    stand_ = FollowUp(
        procedure="stand_against",
        options=OpposedStandOptions(at=opposed.key),
        label=f"{target.name[:60]}: agree and oppose with …",
        character=target.id,
        choices=_skill_choices(scene, opposed, by, figure),
        chosen="skill",
        group="stand",
    )
    if not opposed.is_pvp:
        return (stand_,)
    cost, left = figure.module.luck.resist_cost, lucky_breaks_left(target)
    resist = FollowUp(
        procedure="resist_opposed",
        options=OpposedAtOptions(at=opposed.key),
        label=f"{target.name[:30]}: resist · Lucky Breaks {left} → {left - cost}",
        character=target.id,
        group="resist",
    )
    not_so = _refuse_button(opposed, f"{target.name[:40]}: refuse …", Audience.OWNER, target.id)
    return (stand_, not_so, *((resist,) if left >= cost else ()))


def _skill_choices(scene: Scene, opposed: Opposed, by: Character, figure: Stats) -> tuple[Choice, ...]:
    """The other side's skills, starting with the one rolled, each with the resulting chance."""
    rolled = skill_named(figure.module, opposed.check.skill)
    others = sorted(
        (skill for skill in figure.module.skills if skill.id != rolled.id),
        key=lambda skill: (-figure.effective_level(skill), skill.name),
    )
    choices = []
    for skill in (rolled, *others)[:MOST_SKILLS]:
        level = figure.effective_level(skill)
        attempt = opposed_attempt(scene, by, opposed.check, level, opposed.against)
        note = f"{by.name[:40]} needs {attempt.inputs.target}+ · {attempt.chance}"
        choices.append(Choice(skill.id, f"{skill.name} {shown_number(level)}", note))
    return tuple(choices)


def _gm_buttons(opposed: Opposed) -> tuple[FollowUp, ...]:
    if not opposed.is_pvp or opposed.consent.gm:
        return ()
    agree = FollowUp(
        procedure="approve_opposed",
        options=OpposedAtOptions(at=opposed.key),
        label="Agree (GM)",
        audience=Audience.GM,
        group="gm",
    )
    return agree, _refuse_button(opposed, "Refuse … (GM)", Audience.GM, None)


def _refuse_button(
    opposed: Opposed, label: str, audience: Audience, character: CharacterId | None
) -> FollowUp:
    return FollowUp(
        procedure="refuse_opposed",
        options=RpjRefuseOptions(at=opposed.key),
        label=label,
        audience=audience,
        character=character,
        blanks=NO,
        group=f"refuse/{audience}",
    )


OPPOSED_PROMPT = SharedPrompt(
    model=Opposed,
    view=view_opposed,
    note=note_opposed,
    result=result_of_opposed,
    counts_as=("check",),
    tells=("resist_opposed",),
)
