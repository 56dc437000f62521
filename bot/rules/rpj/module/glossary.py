"""The rules in our own words."""

from bot.rules.kernel import RuleText
from bot.rules.rpj.module.tables import RpjRow, read_rows


class _RuleRow(RpjRow):
    """One rule: its title and its text."""

    title: str
    text: str


GLOSSARY = tuple(
    RuleText(ids=tuple(row.source.split(", ")), title=row.title, text=row.text)
    for row in read_rows("rules", "rule", _RuleRow)
)
