"""Straining costs a rank for good, so the GM is asked first, with its gain and cost."""

from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from bot.rules import kernel
from bot.rules.kernel import Audience, Document, FollowUp, Procedure
from bot.rules.kernel.dice import Dice
from bot.rules.swim_class.character.sheet import Outcome, Scene, book
from bot.rules.swim_class.resolution.opposition import DefenceInputs
from bot.rules.swim_class.resolution.pools import SwimPoolInputs

Own: TypeAlias = Procedure[Document, Scene]
STRAIN, CONSENTED = "strain", "consented"


class _Ones:
    """Dice that always show a 1, so that no skill advances."""

    def roll(self, _sides: int) -> int:
        """The lowest face."""
        return 1


def asking_first(procedure: Own) -> Own:
    """Wrap a procedure so that it asks before straining a skill.

    Source: SWIM-POOL-06 (SWIM-R37).
    """
    if STRAIN not in procedure.options.model_fields:
        return procedure

    def run(scene: Scene, options: Document, dice: Dice) -> kernel.Outcome:
        if not getattr(options, STRAIN):
            return procedure.run(scene, options, dice)
        deal = _deal(scene, procedure, options)
        if deal is None:
            return procedure.run(scene, options, dice)
        if getattr(options, CONSENTED):
            return replace(procedure.run(scene, options, dice), deal=deal.words)
        return _question(scene, procedure, options, deal)

    return replace(procedure, run=run)


@dataclass(frozen=True, slots=True)
class _Deal:
    """The gain and cost of straining a skill."""

    skill: str
    gain: str

    @property
    def words(self) -> str:
        """The deal in words, as stored with the button."""
        return f"straining {self.skill}, {self.gain}"


def _deal(scene: Scene, procedure: Own, options: Document) -> _Deal | None:
    """The gain and cost of straining now; None if an earlier part has already cost the rank.

    Raises:
        UserError: If it is not allowed anyway.
    """
    tried = cast(Outcome, procedure.run(scene, options.model_copy(update={CONSENTED: True}), _Ones()))
    cost = _cost(scene, tried)
    if cost is None:
        return None
    skill, price = cost
    dice = next((len(roll.dice) for roll in tried.rolls if _skill_of(roll.inputs) == skill), 0)
    return _Deal(skill, f"{dice} dice, then {price}" if dice else price)


def _question(scene: Scene, procedure: Own, options: Document, deal: _Deal) -> kernel.Outcome:
    """Ask the GM to allow exactly this."""
    allow = FollowUp(
        procedure=procedure.key,
        options=options.model_copy(update={CONSENTED: True}),
        label=f"Allow: {deal.gain}"[:80],
        audience=Audience.GM,
        character=scene.actor_id,
        group=STRAIN,
        deal=deal.words,
        is_owed=True,
    )
    without = FollowUp(
        procedure=procedure.key,
        options=options.model_copy(update={STRAIN: False}),
        label="Roll without straining",
        character=scene.actor_id,
        group=STRAIN,
    )
    return Outcome(
        scene=scene,
        headline=f"wants to strain {deal.skill}",
        notes=(f"{deal.gain}, for good. The GM allows it in desperate situations.",),
        follow_ups=(allow, without),
    )


def _cost(scene: Scene, tried: Outcome) -> tuple[str, str] | None:
    """The skill that would lose a rank, and the change in words, or None."""
    skills = book(scene)
    for who, after in tried.scene.characters.items():
        before = scene.character(who).sheet.ranks
        for key, rank in after.sheet.ranks.items():
            if rank < skills.rank(before, key):
                title = skills.title(key)
                return title, f"{title} {skills.rank(before, key)} → {rank}"
    return None


def _skill_of(inputs: object) -> str:
    return inputs.skill if isinstance(inputs, SwimPoolInputs | DefenceInputs) else ""
