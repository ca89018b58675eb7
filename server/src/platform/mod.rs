//! Tools that know no room.

pub mod answers;
pub mod api_error;
pub mod changes;
pub mod config;
pub mod db;
pub mod edge;
pub mod headers;
pub mod hex;
pub mod jobs;
pub mod money;
pub mod rate_limit;
pub mod serve;
pub mod state;
pub mod telemetry;
pub mod web;
