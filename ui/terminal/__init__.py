"""The command line `thetaxi`: one module per group of commands. May not look into: ui.web."""
