"""The rules in our own words."""

from bot.rules.kernel import Document, RuleText
from bot.rules.swim_class.resolution.tables import read_rows


class SwimRuleRow(Document):
    """One rule: its title, its text, and the ledger ids it rests on."""

    title: str
    text: str
    source: str


GLOSSARY = tuple(
    RuleText(ids=tuple(row.source.split(", ")), title=row.title, text=row.text)
    for file in ("rules", "rules_skills", "rules_magic")
    for row in read_rows(file, "rule", SwimRuleRow)
)
