"""League: rivals who move on, races against them, a league to its end, and real managers. May look into: season."""
