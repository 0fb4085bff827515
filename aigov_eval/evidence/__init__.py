"""Evidence packs: building, verifying, redacting and signing them."""
