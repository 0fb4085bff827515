"""Pack files to a `Pack`: strict YAML, word lists, schemas, references, hash, cache. The way in is `load.load_pack`."""
