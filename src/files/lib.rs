#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]

pub mod digest;

pub mod durable;

pub mod input;
