"""Decision procedures behind one interface: Bitwuzla, Z3, and plain enumeration."""
