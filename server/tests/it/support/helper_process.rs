//! A real server that a test uses (mailbox, identity provider, wallet, S3): a program in `tools/` that prints its
//! settings as `NAME=value` lines when it is ready, and ends when its standard input closes.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub struct HelperProcess {
    process: Child,
    settings: BTreeMap<String, String>,
}

impl HelperProcess {
    /// Starts the program and waits until it has printed the setting `last`.
    pub fn start(command: &mut Command, last: &str) -> Self {
        let process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error} (scripts/setup brings it)"));
        // From here on `drop` stops the process, whatever fails below.
        let mut helper = Self { process, settings: BTreeMap::new() };
        for line in BufReader::new(helper.process.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{command:?} says {line}"));
            helper.settings.insert(name.to_owned(), value.to_owned());
            if name == last {
                return helper;
            }
        }
        panic!("{command:?} ended before it said {last}; it said {:?}", helper.settings);
    }

    pub fn setting(&self, name: &str) -> &str {
        self.settings.get(name).unwrap_or_else(|| panic!("{name} is not among {:?}", self.settings))
    }
}

impl Drop for HelperProcess {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        for _ in 0..50 {
            if self.process.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the path of a file in the repository.
pub fn repository_path(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

/// Finds a program: named by the variable, installed by `scripts/setup`, or on the `PATH`.
pub fn find_program(variable: &str, name: &str) -> PathBuf {
    let brought =
        [".tools/python/bin", ".tools/node/node_modules/node/bin"].map(|folder| repository_path(folder).join(name));
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.or_else(|| brought.into_iter().find(|path| path.exists())).unwrap_or_else(|| name.into())
}
