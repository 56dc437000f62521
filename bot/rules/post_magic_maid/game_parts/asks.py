"""The checks that a GM may request."""

from collections.abc import Mapping

from bot.rules.kernel import RequestableCheck
from bot.rules.kernel.errors import UserError
from bot.rules.post_magic_maid.character.pairs import PAIRS, pair_words
from bot.rules.post_magic_maid.character.sheet import MaidAttribute
from bot.rules.post_magic_maid.resolution.tiers import TIERS, MaidTier


def read_pair(text: str) -> Mapping[str, object]:
    """Two attributes as they are typed: "Str + Dex".

    Raises:
        UserError: If it is not two attributes.
    """
    by_name = {attribute.value.casefold(): attribute for attribute in MaidAttribute}
    said = [by_name.get(word.strip().casefold()) for word in text.replace(",", "+").split("+")]
    if len(said) != 2 or None in said:
        raise UserError(f"“{text}” doesn't name two attributes.", "Write them like this: Str + Dex.")
    return {"first": said[0], "second": said[1]}


ASKS = (
    RequestableCheck(
        procedure="called",
        own="check",
        title="check",
        difficulty="needed",
        read=read_pair,
        names=lambda _who, _settings: tuple(pair_words(pair) for pair in PAIRS),
        difficulties=lambda _who, _settings: tuple(
            tier.value for tier in TIERS if tier is not MaidTier.BELOW_10
        ),
    ),
)
