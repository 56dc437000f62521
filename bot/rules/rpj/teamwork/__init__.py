"""Checks several people make on one message: assisted, opposed and group checks, flashbacks."""

from types import MappingProxyType

from bot.rules.kernel import SharedPrompt
from bot.rules.rpj.teamwork.assisting import ASSISTED, ASSISTED_PROMPT
from bot.rules.rpj.teamwork.flashbacks import FLASHBACK, FLASHBACK_PROMPT
from bot.rules.rpj.teamwork.group_checks import GROUP, GROUP_PROMPT
from bot.rules.rpj.teamwork.opposing import OPPOSED, OPPOSED_PROMPT

TEAMWORK_PROMPTS: MappingProxyType[str, SharedPrompt] = MappingProxyType(
    {
        ASSISTED: ASSISTED_PROMPT,
        FLASHBACK: FLASHBACK_PROMPT,
        GROUP: GROUP_PROMPT,
        OPPOSED: OPPOSED_PROMPT,
    }
)
