//! Messages, labels and answers of single commands.
