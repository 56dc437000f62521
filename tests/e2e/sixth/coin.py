"""Coin Toss: `/coin`."""

from bot.rules import rulesets
from bot.ui.commands.options import CommandSpec, ruleset_setup

setup = ruleset_setup(rulesets()["coin_toss"], [CommandSpec(name="toss", about="Toss your coins")])
