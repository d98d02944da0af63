"""Line-ups of tests: rounds, squads and armbands built for them, and every armband tried."""
