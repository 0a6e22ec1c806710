//! The integration tests: one program, so that it is linked once. Each file is a
//! story about one side of the host, told with real plugins and guests.

mod audit;
mod bombs;
mod boundaries;
mod cache;
mod capabilities;
mod cli;
mod compiling;
mod contract;
mod crashes;
mod endings;
mod files;
mod limits;
mod loading;
mod nested;
mod network;
mod plugins;
mod policy;
mod reload;
mod running;
mod secrets;
mod storage;
mod support;
mod tools;
mod turn;
