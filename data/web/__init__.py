"""HTTP: the only room that talks to the network, in small transports. May look into: storage."""
