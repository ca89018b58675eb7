//! Restricts the picture worker to computing, using some memory, reading standard input and writing standard output.
//! Resource limits alone are not enough, because a process that closes one of its three descriptors may open another in
//! its place; Landlock takes away every path and port, and seccomp every system call that computing does not need.

use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetStatus, Scope};
use rlimit::Resource;

const MAX_MEMORY_BYTES: u64 = 512 << 20;
const MAX_CPU_SECONDS: u64 = 5;

/// The newest version of Landlock when this was written; an older kernel enforces what it supports.
const LANDLOCK: ABI = ABI::V6;

/// System calls that every architecture has. All others fail with EPERM instead of ending the process, so that a C
/// library that makes a new call when it starts does not break every upload.
const SYSTEM_CALLS: [&str; 31] = [
    "read",
    "readv",
    "write",
    "writev",
    "close",
    "fstat",
    "lseek",
    "mmap",
    "mremap",
    "munmap",
    "mprotect",
    "madvise",
    "brk",
    "futex",
    "getrandom",
    "clock_gettime",
    "clock_getres",
    "gettimeofday",
    "sched_yield",
    "sched_getaffinity",
    "getpid",
    "gettid",
    "tgkill",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "restart_syscall",
    "rseq",
    "exit",
    "exit_group",
];

/// How far the kernel enforces a restriction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enforcement {
    Fully,
    /// The kernel is older and supports only a part.
    Partly,
    Not,
}

impl Enforcement {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fully => "fully",
            Self::Partly => "partly",
            Self::Not => "not",
        }
    }
}

/// Permanently gives up what this process no longer needs, and calls `after` for each step. A kernel without Landlock
/// or seccomp is not an error: the resource limits always apply, and the server logs at startup what is missing.
pub fn enter_sandbox(mut after: impl FnMut(&'static str, Enforcement)) -> std::io::Result<()> {
    after("landlock", restrict_files_and_network());
    for (what, most) in [
        (Resource::AS, MAX_MEMORY_BYTES),
        (Resource::DATA, MAX_MEMORY_BYTES),
        (Resource::CPU, MAX_CPU_SECONDS),
        (Resource::CORE, 0),
        (Resource::FSIZE, 0),
        // No descriptor beyond the three that are open.
        (Resource::NOFILE, 3),
    ] {
        what.set(most, most)?;
    }
    after("seccomp", restrict_system_calls());
    Ok(())
}

fn restrict_files_and_network() -> Enforcement {
    let restricted = Ruleset::default()
        .handle_access(AccessFs::from_all(LANDLOCK))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(LANDLOCK)))
        .and_then(|rules| rules.scope(Scope::from_all(LANDLOCK)))
        .and_then(Ruleset::create)
        .and_then(landlock::RulesetCreated::restrict_self);
    match restricted.map(|status| status.ruleset) {
        Ok(RulesetStatus::FullyEnforced) => Enforcement::Fully,
        Ok(RulesetStatus::PartiallyEnforced) => Enforcement::Partly,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Enforcement::Not,
    }
}

fn restrict_system_calls() -> Enforcement {
    const EPERM: u32 = 1;
    let allowed: Vec<_> = SYSTEM_CALLS.iter().map(|name| serde_json::json!({ "syscall": name })).collect();
    let filter = serde_json::json!({
        "worker": { "mismatch_action": { "errno": EPERM }, "match_action": "allow", "filter": allowed }
    });
    let filter = filter.to_string();
    let Ok(architecture) = std::env::consts::ARCH.try_into() else { return Enforcement::Not };
    let compiled = seccompiler::compile_from_json(filter.as_bytes(), architecture);
    let applied =
        compiled.ok().and_then(|mut filters| filters.remove("worker")).map(|filter| seccompiler::apply_filter(&filter));
    match applied {
        Some(Ok(())) => Enforcement::Fully,
        Some(Err(_)) | None => Enforcement::Not,
    }
}

/// Tries to escape and reports how each attempt ended. Only tests need it, so only debug builds have it.
#[cfg(debug_assertions)]
pub fn try_escapes() -> Vec<(&'static str, String)> {
    use std::fs::{File, read_dir};
    use std::net::{TcpStream, UdpSocket};
    use std::os::unix::net::UnixDatagram;
    use std::process::Command;

    fn ended<T>(attempt: std::io::Result<T>) -> String {
        match attempt {
            Ok(_) => "done".to_owned(),
            Err(error) => error.raw_os_error().unwrap_or_default().to_string(),
        }
    }
    let parent = format!("/proc/{}/environ", std::os::unix::process::parent_id());
    vec![
        ("file", ended(File::open("/etc/hostname"))),
        ("new_file", ended(File::create("/tmp/thunse-picture-worker"))),
        ("folder", ended(read_dir("/"))),
        ("proc", ended(File::open("/proc/self/status"))),
        ("parent", ended(File::open(parent))),
        ("tcp", ended(TcpStream::connect("127.0.0.1:9"))),
        ("udp", ended(UdpSocket::bind("127.0.0.1:0"))),
        ("unix", ended(UnixDatagram::unbound())),
        ("program", ended(Command::new("/bin/true").spawn())),
    ]
}

#[cfg(not(debug_assertions))]
pub const fn try_escapes() -> Vec<(&'static str, String)> {
    Vec::new()
}
