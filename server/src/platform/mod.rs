//! Tools that know no room.

pub mod answers;
pub mod api_error;
pub mod changes;
pub mod config;
pub mod contact;
pub mod cookies;
pub mod db;
pub mod edge;
pub mod form;
pub mod guard;
pub mod headers;
pub mod hex;
pub mod jobs;
pub mod leftovers;
pub mod mail;
pub mod money;
pub mod openid;
pub mod passwords;
pub mod personal;
pub mod rate_limit;
pub mod serve;
pub mod sessions;
pub mod state;
pub mod telemetry;
pub mod tokens;
pub mod web;
