//! Files that are found by name say inside what they are: exchanged, copied and doubled ones are noticed.
