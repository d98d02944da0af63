"""Line-up: eleven, bench order, auto-subs and armband of a squad. May look into: rules."""
