//! Tools that depend on no other module: settings, pools, the response cache, the middleware, sessions, the login
//! throttle, the security log, forms, jobs, mail, numbers and dates. Owns the tables `sessions`, `known_devices`,
//! `login_throttles`, `account_counters`, `security_events` and `log_seals`, which identify a person only by an id or a
//! hash.

pub mod account_kind;
pub mod api_error;
pub mod bikram_sambat;
pub mod cache;
pub mod cache_invalidation;
pub mod clock;
pub mod config;
pub mod contact;
pub mod cookies;
pub mod csv_format;
pub mod db;
pub mod drain_body;
pub mod fail_point;
pub mod form;
pub mod headers;
pub mod hex;
pub mod ids;
pub mod invariants;
pub mod jobs;
pub mod language;
pub mod mail;
pub mod markdown;
pub mod messages;
pub mod middleware;
pub mod money;
pub mod money_format;
pub mod numerals;
pub mod openid;
pub mod passwords;
pub mod permissions;
pub mod personal_data;
pub mod push;
pub mod rate_limit;
pub mod row_version;
pub mod security_log;
pub mod serve;
pub mod sessions;
pub mod sms;
pub mod state;
pub mod telemetry;
pub mod throttle;
pub mod tokens;
pub mod traces;
pub mod web;
