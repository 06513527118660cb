"""The kit that published studies are made of: `study` has the declaration, `registry` finds studies."""
