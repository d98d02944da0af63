"""The linear plan: values by role over rounds, its search, its bound and its proof. Knows arrays, not objectives."""
