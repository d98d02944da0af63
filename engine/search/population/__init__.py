"""Population: candidates as columns, genomes and lineage, frontier, blocks, proposals."""
