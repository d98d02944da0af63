"""The World Cup game's feed: `source.fetch` brings its documents, `source.parse` makes a world of them."""
