//! Files of the user: none is deleted or overwritten, and every output is written whole or not at all.
