"""The beam: squads led through the rounds side by side, with line-ups by sorting and swaps at shadow prices."""
