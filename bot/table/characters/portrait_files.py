"""How large the pictures are that are stored."""

SIDE = 512  # pixels of a portrait, at most
LARGEST_PORTRAIT = 96 * 1024  # bytes
HANDOUT_SIDE = 1600  # pixels of a handout's picture, at most
LARGEST_HANDOUT = 1024 * 1024  # bytes
