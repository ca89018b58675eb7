//! Reads single values from the environment and from systemd's credentials folder, and collects the problems with them.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
#[error("invalid configuration, {} problem(s):\n{}", .0.len(), .0.join("\n"))]
pub struct ConfigError(pub Vec<String>);

pub struct EnvReader {
    vars: BTreeMap<String, String>,
    problems: Vec<String>,
}

impl EnvReader {
    pub const fn new(vars: BTreeMap<String, String>) -> Self {
        Self { vars, problems: Vec::new() }
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn from_env() -> Self {
        let mut env = Self::new(std::env::vars().collect());
        if let Some(folder) = env.text("CREDENTIALS_DIRECTORY") {
            env.add_credentials(Path::new(&folder));
        }
        env
    }

    /// Returns what was read, or all problems with it.
    pub fn finish<T>(self, value: T) -> Result<T, ConfigError> {
        if self.problems.is_empty() { Ok(value) } else { Err(ConfigError(self.problems)) }
    }

    /// Adds one line to the list for the operator; it begins with the name of the setting.
    pub fn add_problem(&mut self, problem: impl fmt::Display) {
        self.problems.push(format!("  {problem}"));
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.vars.get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    pub fn text_or(&self, name: &str, default: &str) -> String {
        self.text(name).unwrap_or_else(|| default.to_owned())
    }

    pub fn required(&mut self, name: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            self.add_problem(format_args!("{name} is not set"));
            String::new()
        })
    }

    pub fn parse_or<T: FromStr>(&mut self, name: &str, default: T) -> T
    where
        T::Err: fmt::Display,
    {
        match self.text(name).map(|value| value.parse()) {
            None => default,
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                self.add_problem(format_args!("{name}: {error}"));
                default
            }
        }
    }

    pub fn millis(&mut self, name: &str, default: u64) -> Duration {
        Duration::from_millis(self.parse_or(name, default))
    }

    /// Adds the settings that systemd passes as files. A file is named like its setting, with or without a lower-case
    /// prefix.
    pub fn add_credentials(&mut self, folder: &Path) {
        let files = match std::fs::read_dir(folder) {
            Ok(files) => files,
            Err(error) => return self.add_problem(format_args!("CREDENTIALS_DIRECTORY: {error}")),
        };
        for file in files.filter_map(Result::ok) {
            let file_name = file.file_name().to_string_lossy().into_owned();
            let name = file_name.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
            match std::fs::read_to_string(file.path()) {
                Ok(_) if self.text(name).is_some() => {
                    self.add_problem(format_args!(
                        "{name} is set twice: in the environment and as a systemd credential"
                    ));
                }
                Ok(value) => {
                    self.vars.insert(name.to_owned(), value.trim().to_owned());
                }
                Err(error) => self.add_problem(format_args!("the credential {name}: {error}")),
            }
        }
    }

    /// Requires TLS for the URL of another server, unless the server is on this machine.
    pub fn secure_url(&mut self, name: &str, url: &str) {
        if !url.starts_with("https://") && !is_local(host_of(url)) {
            self.add_problem(format_args!("{name}: must use https"));
        }
    }
}

/// Whether a host is this machine, so that the connection cannot be intercepted.
pub fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.starts_with('/') || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The host of a URL such as `scheme://user:password@host:port/path?query`.
pub fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.split_once(']') {
        Some((v6, _)) => v6.trim_start_matches('['),
        None => host.split(':').next().unwrap_or_default(),
    }
}
