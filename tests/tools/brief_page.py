"""The page with short searches and few reference squads: what it shows of a board does not depend on how good it is.

Started as a module with Streamlit's own arguments; both numbers have to be set before the page is imported.
"""

from __future__ import annotations

from engine.fitness import reference

reference.POOL_SIZE = 200

from engine import desk  # noqa: E402

desk.GENERATIONS = 2

from streamlit.web.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
