"""Project Swim Class: every ability is a pool of six-sided dice, and pools grow by use."""
