"""Project Swim Class: every ability is a pool of six-sided dice, and pools grow by use."""

from bot.rules.swim_class.game import GAME as RULESET

__all__ = ["RULESET"]
