//! seedbank
fn main() {}
