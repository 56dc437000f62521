"""The tables of the book, in `data/*.toml`; every row says where it comes from."""

from bot.rules.kernel import DataFiles

DATA = DataFiles("bot.rules.rpj")
