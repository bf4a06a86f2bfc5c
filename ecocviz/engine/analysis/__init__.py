"""What can be said of codes, machines and decoders: records in, records out."""
