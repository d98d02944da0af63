"""Line-ups: pitch, shirts and the marks beside players."""
