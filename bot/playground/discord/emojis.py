"""Which emoji a button or an option may carry."""

from __future__ import annotations

from bot.playground.discord.payloads import Payload, walk_components
from bot.playground.discord.refusals import Form, Path

_JOINERS = {0x200D, 0xFE0F, 0x20E3}
_SINGLE = (
    "©®‼⁉™ℹ↩↪⌚⌛⌨⏏Ⓜ▪▫▶◀☎☑☔☕☘☝☠☢☣☦☪☮☯♀♂♟♠♣♥♦♨♻♾♿⚙⚛⚜⚠⚡⚧⚪⚫⚰⚱⚽⚾⛄⛅⛈⛎⛏⛑⛓⛔⛩⛪⛽✂✅✏✒✔✖✝✡✨✳✴❄❇❌❎❓❔❕❗❣❤"
    "➕➖➗➡➰➿⤴⤵⬅⬆⬇⬛⬜⭐⭕〰〽㊗㊙🀄🃏🅰🅱🅾🅿🆎🈁🈂🈚🈯🉐🉑🟰#*0123456789"
)
_RANGES = (
    (0x2194, 0x2199),
    (0x23E9, 0x23F3),
    (0x23F8, 0x23FA),
    (0x25FB, 0x25FE),
    (0x2600, 0x2604),
    (0x2638, 0x263A),
    (0x2648, 0x2653),
    (0x2692, 0x2697),
    (0x26F0, 0x26F5),
    (0x26F7, 0x26FA),
    (0x2708, 0x270D),
    (0x1F191, 0x1F19A),
    (0x1F1E6, 0x1F1FF),
    (0x1F232, 0x1F23A),
    (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F7E0, 0x1F7EB),
    (0x1F90C, 0x1F9FF),
    (0x1FA70, 0x1FAFF),
    (0xE0020, 0xE007F),
)


def check_emojis(form: Form, path: Path, components: list[Payload], own: list[Payload]) -> None:
    """Check the emoji of components: real Unicode emoji, or the application's own by their ids."""
    known = {emoji["id"] for emoji in own}
    for component in walk_components(components):
        for holder in (component, *(component.get("options") or [])):
            emoji = holder.get("emoji") or {}
            if not emoji:
                continue
            number, name = emoji.get("id"), str(emoji.get("name") or "")
            if str(number) not in known if number else not is_emoji(name):
                form.add(path, "COMPONENT_INVALID_EMOJI", f"Invalid emoji: {name!r}")


def is_emoji(text: str) -> bool:
    """Whether the text consists of emoji characters and joiners only."""
    codes = [ord(character) for character in text if ord(character) not in _JOINERS]
    return bool(codes) and all(chr(code) in _SINGLE or _is_in_range(code) for code in codes)


def _is_in_range(code: int) -> bool:
    return any(first <= code <= last for first, last in _RANGES)
