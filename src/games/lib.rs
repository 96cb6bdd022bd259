#![doc = include_str!("README.md")]

pub mod board;

pub mod family;

pub mod game;
