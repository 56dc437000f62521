"""From Discord to a request, and from a reply to Discord."""
