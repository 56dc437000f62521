"""The texts of `/rules` for this game."""

from bot.rules.kernel import RuleText
from bot.rules.sword_and_swarm.resolution.tables import SwarmRow, read_rows


class SwarmRuleRow(SwarmRow):
    """A rule with its title and text."""

    title: str
    text: str


GLOSSARY = tuple(
    RuleText(ids=tuple(row.source.split(", ")), title=row.title, text=row.text)
    for row in read_rows("rules", "rule", SwarmRuleRow)
)
