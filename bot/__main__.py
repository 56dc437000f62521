"""``python -m bot``: the same as `tablekeeper`."""

from bot.cli import main

if __name__ == "__main__":
    main()
