"""RPJ Core: two d6 and a level against seven and the difficulty, and Lucky Breaks to turn them."""

from bot.rules.rpj.game import GAME as RULESET

__all__ = ["RULESET"]
