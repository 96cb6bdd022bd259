//! Signals, closed terminals, memory and time limits: a run ends with a documented status and loses nothing.
