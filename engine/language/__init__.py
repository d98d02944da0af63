"""Language: fitness specs, parsed, checked and compiled to numpy over populations. May look into: data."""
