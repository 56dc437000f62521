"""Replies about campaigns: creation and list."""

from collections.abc import Sequence

from bot.table.campaigns.campaigns import CampaignLine, CampaignMade
from bot.ui.replies.fairness_replies import shown_fingerprint
from bot.ui.replies.result_text import headline
from bot.ui.replies.setting_replies import open_optional_rules, open_settings
from bot.ui.text.reply import Accent, Reply
from bot.ui.text.text import escape, listed, shorten

LONGEST = 4000


def made_reply(made: CampaignMade) -> Reply:
    """The reply to the creation of a campaign."""
    where = (
        "It is this server's default campaign." if made.is_default else "It is now played in this channel."
    )
    lines = [
        headline(made.result.message),
        f"{where} Players start with /character create.",
        "Secret dice seed 1, fingerprint (SHA-256):",
        f"`{shown_fingerprint(made.commitment)}`",
        "-# /fair has all of it.",
    ]
    buttons = [open_settings(made.campaign)]
    if made.has_packs:
        buttons.insert(0, open_optional_rules(made.campaign))
    return Reply(text="\n".join(lines), accent=Accent.NEWS, rows=(tuple(buttons),))


def campaigns_reply(campaigns: Sequence[CampaignLine]) -> Reply:
    """The list of the server's campaigns."""
    lines = [line for one in campaigns for line in _campaign(one)]
    text = "\n".join(["**Campaigns**", *(lines or ["None yet. Create one with /campaign create."])])
    return Reply(text=shorten(text, LONGEST), accent=Accent.BOARD, is_private=True)


def _campaign(one: CampaignLine) -> list[str]:
    marks = [
        "in this channel" if one.is_here else "",
        "default" if one.is_default else "",
        "archived" if one.is_archived else "",
        f"session {one.session} running" if one.session else "",
    ]
    gms = [f"<@{person}>" for person in one.gms] + ([f"<@&{one.gm_role}>"] if one.gm_role else [])
    about = listed(
        [
            f"in {', '.join(f'<#{place}>' for place in one.places)}" if one.places else "",
            f"GM {', '.join(gms)}" if gms else "",
        ]
    )
    lines = [listed([f"**{escape(one.name)}**", escape(one.title), *marks])]
    return [*lines, f"-# {about}"] if about else lines
