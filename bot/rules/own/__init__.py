"""Games of one's own: a GM's rules in one file, read, proved and played without a line of code."""
