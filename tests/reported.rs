//! Faults that users and attackers found, each with the smallest steps that showed it. One file an
//! area; every test states the right behaviour.

mod dying;
mod files;
mod identity;
mod notation;
mod reading;
mod small;
