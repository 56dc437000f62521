"""Whether optional rules are on, and the error where they are not."""

from bot.rules.kernel import Document, Scene
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.optional_rules import Pack
from bot.rules.rpj.module.settings import RpjSettings, stated_module

__all__ = ["Pack", "PackIsOff", "is_on", "require"]


class PackIsOff(UserError):
    """An optional rule is off in the campaign.

    Args:
        pack: The rule.
    """

    def __init__(self, pack: Pack) -> None:
        super().__init__(
            f"This campaign doesn't use {pack.in_words}.",
            try_this=f"The GM can switch it on: /campaign settings setting:{pack} value:yes",
        )
        self.pack = pack


def is_on(settings: RpjSettings, pack: Pack) -> bool:
    """Whether an optional rule is on, by the campaign's setting or else its module.

    Source: RPJ-GM-06.
    """
    said = settings.switch(pack)
    return pack in stated_module(settings).optional_rules if said is None else said


def require(scene: Scene[Document, RpjSettings], pack: Pack) -> None:
    """Refuse to go on if an optional rule is off.

    Raises:
        PackIsOff: If it is off; it says how the GM can switch it on.

    Source: RPJ-GM-06.
    """
    if not is_on(scene.settings, pack):
        raise PackIsOff(pack)
