"""What the gate is made of: patterns rewritten for a linear engine, those of figures, and the rows that answer for many texts at once."""
