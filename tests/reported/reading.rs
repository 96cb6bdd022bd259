//! Text from files and standard input, and tables for the declared versions of readers.
