"""Prepare tests: what is tested, the circumstances, and who cannot make a test."""

from msgspec import Struct
from pydantic import Field

from bot.rules.kernel import CharacterId, Document
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import name_key, shown_number, whole_number
from bot.rules.sword_and_swarm.attributes import (
    DIFFICULTIES,
    HIGHEST,
    LIMIT,
    Modifier,
    SwarmAttribute,
    edge_of,
    in_range,
    read_modifiers,
)
from bot.rules.sword_and_swarm.sheet import Character, Scene, actual, is_defeated
from bot.rules.sword_and_swarm.tests import HIGHEST_DIFFICULTY, AttributeInputs, ProficiencyInputs, SwarmKind

LONGEST_TEXT = 200


class SwarmCircumstances(Document):
    """The circumstances of any test."""

    bonus: int = Field(default=0, ge=-LIMIT, le=LIMIT)  # a bonus, or a penalty below 0
    more: str = Field(default="", max_length=LONGEST_TEXT)  # more bonuses and penalties, as typed
    advantage: bool = False  # whether the test has advantage
    disadvantage: bool = False  # whether the test has disadvantage
    forced: bool = False  # whether the GM forces a test that the character could not make

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """Bonuses and penalties; those of 0 are left out."""
        return read_modifiers(self.bonus, self.more)

    @property
    def is_cancelled(self) -> bool:
        """Whether advantage and disadvantage cancel out."""
        return self.advantage and self.disadvantage


class Trial(Struct, frozen=True, kw_only=True):
    """A test that is about to be rolled."""

    words: str  # what is tested, as it follows the word "tests"
    # Its inputs; the edge says whether a re-roll is allowed or forced.
    inputs: AttributeInputs | ProficiencyInputs
    is_cancelled: bool = False  # whether advantage and disadvantage cancel out


def assert_may_test(
    scene: Scene, character: Character, attribute: SwarmAttribute | None, *, is_forced: bool
) -> None:
    """Raise `UserError` if a character can't make this test and the GM does not force it.

    Args:
        character: Who tests.
        attribute: The character's attribute that the test needs, or None.
        is_forced: Whether the GM forces it.

    [SWARM-ATTR-04, SWARM-ATTR-10 (SWARM-R30)]
    """
    if is_forced:
        return
    sheet, settings = character.sheet, scene.settings
    if is_defeated(sheet, settings):
        star = shown_number(actual(sheet, SwarmAttribute.STAR, settings))
        raise UserError(
            f"{character.name} is defeated (Star {star}) and can't make tests.",
            "A GM can force a test or give Star back.",
        )
    if attribute is not None and actual(sheet, attribute, settings) == 0:
        raise UserError(
            f"{character.name} has {attribute} 0 and can't do anything that needs {attribute}.",
            "A GM can force this test.",
        )


def assert_may_force(scene: Scene, *, is_forced: bool) -> None:
    """Raise `UserError` if someone who is not a GM forces a test."""
    if is_forced and not scene.is_gm:
        raise UserError("Only a GM can force a test.", try_this="Leave out “forced”.")


def own_trial(
    scene: Scene, character: Character, attribute: SwarmAttribute, how: SwarmCircumstances
) -> Trial:
    """A test of the character's own attribute. [SWARM-TEST-02, SWARM-MOD-01, SWARM-ATTR-03]"""
    assert_may_test(scene, character, attribute, is_forced=how.forced)
    value = in_range(actual(character.sheet, attribute, scene.settings))
    inputs = _attribute_inputs(scene, SwarmKind.OWN, attribute, value, how)
    return Trial(words=attribute, inputs=inputs, is_cancelled=how.is_cancelled)


class Opposition(Struct, frozen=True):
    """An opponent's attribute: of a character, or just a number."""

    attribute: SwarmAttribute
    target: CharacterId | None
    value: int | None


def versus_trial(scene: Scene, character: Character, against: Opposition, how: SwarmCircumstances) -> Trial:
    """A test of an opponent's attribute. [SWARM-TEST-03, SWARM-MOD-02, SWARM-ATTR-02 (SWARM-R23)]"""
    assert_may_test(scene, character, None, is_forced=how.forced)
    if (against.target is None) == (against.value is None):
        raise UserError(
            "Choose either an opponent or a number.",
            "Give exactly one of “target” and “value”.",
        )
    name, value = str(against.attribute), against.value or 0
    if against.target is not None:
        opponent = scene.character(against.target)
        if opponent.id == character.id:
            raise UserError(
                "You can't oppose yourself.", try_this="Test your own attributes with /swarm test."
            )
        name = f"{opponent.name}'s {against.attribute}"
        value = in_range(actual(opponent.sheet, against.attribute, scene.settings))
    inputs = _attribute_inputs(scene, SwarmKind.OPPONENT, name, value, how)
    return Trial(words=name, inputs=inputs, is_cancelled=how.is_cancelled)


def obstacle_trial(scene: Scene, character: Character, obstacle: str, how: SwarmCircumstances) -> Trial:
    """A test of an obstacle: a difficulty, or a named one of the campaign.

    [SWARM-TEST-04 (SWARM-R02), SWARM-MOD-02 (SWARM-R07)]
    """
    assert_may_test(scene, character, None, is_forced=how.forced)
    known = scene.settings.find_obstacle(obstacle)
    if known is not None:
        name, value = known.name, known.difficulty
    else:
        name, value = "difficulty", _obstacle_number(scene, obstacle)
    inputs = _attribute_inputs(scene, SwarmKind.OBSTACLE, name, value, how)
    words = f"{name}, difficulty {value}" if known else f"difficulty {value}"
    return Trial(words=words, inputs=inputs, is_cancelled=how.is_cancelled)


def _obstacle_number(scene: Scene, typed: str) -> int:
    number = whole_number(typed, 0, HIGHEST)
    if number is not None:
        return number
    names = ", ".join(one.name for one in scene.settings.all_obstacles)
    raise UserError(
        f"There is no obstacle “{typed.strip()}”.",
        f"Give a difficulty from 0 to {HIGHEST}{f', or choose from: {names}' if names else ''}.",
    )


def _attribute_inputs(
    scene: Scene, kind: SwarmKind, name: str, value: int, how: SwarmCircumstances
) -> AttributeInputs:
    return AttributeInputs(
        kind=kind,
        name=name,
        value=value,
        modifiers=how.modifiers,
        edge=edge_of(advantages=int(how.advantage), disadvantages=int(how.disadvantage)),
        confirm_when_impossible=scene.settings.confirm_when_impossible,
    )


def proficiency_trial(
    scene: Scene, character: Character, name: str, difficulty: str, how: SwarmCircumstances
) -> Trial:
    """A test of a proficiency.

    [SWARM-PROF-01, SWARM-PROF-02, SWARM-PROF-05, SWARM-PROF-09 (SWARM-R22, SWARM-R24)]
    """
    settings, sheet = scene.settings, character.sheet
    found = settings.find_proficiency(name)
    if found is None:
        known = ", ".join(one.name for one in settings.all_proficiencies)
        raise UserError(
            f"There is no proficiency “{name}” in this campaign.",
            f"Choose from: {known}.",
            "A GM can add it with /swarm-gm list proficiency.",
        )
    assert_may_test(scene, character, found.attribute, is_forced=how.forced)
    ranks = sheet.ranks_in(found.name)
    if found.trained_only and ranks == 0 and not how.forced:
        raise UserError(f"{found.name} needs training, and {character.name} has no ranks in it.")
    inputs = ProficiencyInputs(
        proficiency=found.name,
        attribute=found.attribute,
        value=actual(sheet, found.attribute, settings),
        ranks=ranks,
        modifiers=how.modifiers,
        difficulty=read_difficulty(difficulty),
        edge=edge_of(advantages=int(how.advantage), disadvantages=int(how.disadvantage)),
    )
    return Trial(words=found.name, inputs=inputs, is_cancelled=how.is_cancelled)


def read_difficulty(typed: str) -> int:
    """Read a difficulty of a proficiency test: a number, one of the book's names, or both. [SWARM-PROF-06]

    Raises:
        UserError: If it is none of these.
    """
    digits, *rest = typed.split() or [""]
    number = whole_number(digits, 1, HIGHEST_DIFFICULTY)
    if number is not None and len(rest) <= 1:
        return number
    for row in DIFFICULTIES.values():
        if name_key(typed) == row.name:
            return row.value
    names = ", ".join(f"{row.value} {row.name}" for row in DIFFICULTIES.values())
    raise UserError(f"“{typed}” isn't a difficulty.", f"Give a number (1 or more), or choose from: {names}.")


def difficulty_choices() -> tuple[str, ...]:
    """The book's difficulties as suggestions: "8 challenging". [SWARM-PROF-06]"""
    return tuple(f"{row.value} {row.name}" for row in DIFFICULTIES.values())
