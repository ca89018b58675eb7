//! Tools that know no room: settings, pools and kept answers, the edge around every request, sessions and the guard against
//! guessing, the security log, forms, jobs, mail, numbers and dates. Owns the tables `sessions`, `known_devices`, `login_guards`,
//! `account_counters`, `security_events` and `log_seals`, in which a person is an id and nothing else.

pub mod answers;
pub mod api_error;
pub mod bikram_sambat;
pub mod changes;
pub mod clock;
pub mod config;
pub mod contact;
pub mod cookies;
pub mod db;
pub mod edge;
pub mod fail_point;
pub mod form;
pub mod guard;
pub mod headers;
pub mod hex;
pub mod invariants;
pub mod jobs;
pub mod leftovers;
pub mod mail;
pub mod money;
pub mod numerals;
pub mod openid;
pub mod passwords;
pub mod personal;
pub mod rate_limit;
pub mod security_log;
pub mod sentences;
pub mod serve;
pub mod sessions;
pub mod spreadsheet;
pub mod state;
pub mod telemetry;
pub mod tokens;
pub mod version;
pub mod web;
