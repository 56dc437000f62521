"""How many hits a save, or somebody with several, stands on average."""

from collections.abc import Iterable
from fractions import Fraction

from bot.rules.rpj.check_inputs import BASE_TARGET, CheckInputs, CheckKind, NamedTerm
from bot.rules.rpj.checks import Result, check_odds
from bot.rules.rpj.criticals import CriticalRules


def expected_hits(save: int, damage: int, criticals: CriticalRules | None = None) -> Fraction:
    """Hits that it takes on average until a save is crossed off.

    Args:
        save: Target number of the save.
        damage: Damage of each hit.
        criticals: How often criticals come.

    Source: RPJ-GCS-64 (R-121), RPJ-HEALTH-19.
    """
    inputs = CheckInputs(
        kind=CheckKind.DAMAGE_SAVE,
        difficulty=save - BASE_TARGET,
        opposition=(NamedTerm(label="damage", value=damage),),
        criticals=criticals or CriticalRules(),
    )
    failing = sum(
        (chance.fraction for name, chance in check_odds(inputs).chances if not Result(name).is_success),
        start=Fraction(0),
    )
    return 1 / failing


def expected_survival(saves: Iterable[int], damage: int) -> Fraction:
    """Hits that somebody stands on average until all these saves are gone.

    Source: RPJ-GCS-65 (R-122).
    """
    return sum((expected_hits(save, damage) for save in saves), start=Fraction(0))
