"""What runs beside the tests: servers, browsers, clusters, the command line."""
