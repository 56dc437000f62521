"""The types of Post-magic-maid's characters and scenes, with its sheets and settings."""

from typing import TypeAlias

from bot.rules import kernel
from bot.rules.post_magic_maid.character.settings import MaidSettings
from bot.rules.post_magic_maid.character.sheet import MaidSheet

Character: TypeAlias = kernel.Character[MaidSheet]
Scene: TypeAlias = kernel.Scene[MaidSheet, MaidSettings]
Outcome: TypeAlias = kernel.Outcome[Scene]
HookResult: TypeAlias = kernel.HookResult[Scene]
Unsettled: TypeAlias = kernel.Unsettled[Scene]
