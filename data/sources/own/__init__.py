"""The user's own tables: squads, projections and ownership as CSV or pasted text."""
