"""Managers of Fantasy Premier League, their squads, money and leagues, as anybody may see them."""
