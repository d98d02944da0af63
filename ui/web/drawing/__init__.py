"""Drawing: pitch, tables, charts and words; most of it pure HTML, none of it knows a page."""
