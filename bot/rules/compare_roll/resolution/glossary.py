"""The rules in our own words."""

from bot.rules.compare_roll.resolution.tables import CompareRow, read_rows
from bot.rules.kernel import RuleText


class CompareRuleRow(CompareRow):
    """One rule: its title and its text."""

    title: str
    text: str


GLOSSARY = tuple(
    RuleText(ids=tuple(row.source.split(", ")), title=row.title, text=row.text)
    for row in read_rows("rules", "rule", CompareRuleRow)
)
