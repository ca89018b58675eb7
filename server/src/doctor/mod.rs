//! `thunse doctor`: checks an installation and says in plain words what to do. It changes nothing, except for one small
//! file that it writes into the picture store and deletes again.

mod database_checks;
mod finding;
mod service_checks;
mod store;

use std::io::{self, Write};

pub use finding::{Finding, Verdict};

use crate::platform::config::Config;

/// Runs all checks, one after the other, so that their order on the screen is the order in which to repair things.
pub async fn run() -> Vec<Finding> {
    let config = match Config::from_env() {
        Ok(config) => config,
        // Without settings there is nothing else to check.
        Err(error) => return error.0.iter().map(|problem| invalid_setting(problem)).collect(),
    };
    let mut findings = vec![Finding::ok("settings", "all are valid")];
    findings.extend(
        config.disabled_features().into_iter().map(|off| {
            Finding::warning("settings", off, "Nothing, if you do not need it; otherwise see .env.example.")
        }),
    );
    findings.extend(database_checks::check(&config).await);
    findings.push(service_checks::check_mail(&config).await);
    findings.extend(service_checks::check_wallet(&config).await);
    findings.push(service_checks::check_pictures(&config).await);
    findings.extend(service_checks::check_disk(&config));
    findings.extend(service_checks::check_public_url(&config).await);
    findings
}

fn invalid_setting(problem: &str) -> Finding {
    Finding::failed(
        "settings",
        problem.trim(),
        "Correct it in /etc/thunse/env, or in the file of that name in /etc/thunse/credentials; .env.example explains each.",
    )
}

/// Prints the findings, as lines for a person or as JSON for a program. Returns whether nothing has failed.
pub fn print(findings: &[Finding], is_json: bool) -> anyhow::Result<bool> {
    let mut out = io::stdout();
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let (warnings, failed) = (count(Verdict::Warning), count(Verdict::Failed));
    if is_json {
        writeln!(out, "{}", serde_json::to_string_pretty(findings)?)?;
    } else {
        for finding in findings {
            writeln!(out, "{finding}")?;
        }
        writeln!(out, "{} checks, {warnings} warnings, {failed} failed", findings.len())?;
    }
    Ok(failed == 0)
}
