"""Checks several people make on one message: assisted, opposed and group checks, flashbacks."""

from types import MappingProxyType

from bot.rules.kernel import SharedPrompt
from bot.rules.rpj.teamwork.assisting import ASSISTED, ASSISTED_GATHERING
from bot.rules.rpj.teamwork.flashbacks import FLASHBACK, FLASHBACK_GATHERING
from bot.rules.rpj.teamwork.group_checks import GROUP, GROUP_GATHERING
from bot.rules.rpj.teamwork.opposed_view import OPPOSED_GATHERING
from bot.rules.rpj.teamwork.opposing import OPPOSED

TOGETHER_GATHERINGS: MappingProxyType[str, SharedPrompt] = MappingProxyType(
    {
        ASSISTED: ASSISTED_GATHERING,
        FLASHBACK: FLASHBACK_GATHERING,
        GROUP: GROUP_GATHERING,
        OPPOSED: OPPOSED_GATHERING,
    }
)
