"""What is shown: the web page and the command line, two faces of one engine. May look into: engine, models, data."""
