//! Passwords: which are accepted, how they are hashed, and how many are hashed at once.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;
use zxcvbn::zxcvbn;

use super::api_error::ApiError;
use super::messages::message;

const MIN_LENGTH: usize = 8;
const MAX_LENGTH: usize = 128;
/// A password is refused if it would be found within this many guesses.
const MIN_GUESSES: u64 = 100_000;
/// Words that an attacker of this shop would try first.
const LOCAL_WORDS: [&str; 8] = ["thunse", "nepal", "kathmandu", "khalti", "pokhara", "grocery", "namaste", "everest"];

/// 19 MiB, two passes and one lane are OWASP's minimum, and take about 50 ms of one core here.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// How many hashes run at once, and how many may wait: during a flood of logins the shop refuses some and goes on
/// selling.
const MAX_CONCURRENT_HASHES: usize = 2;
const MAX_QUEUED_HASHES: usize = 20;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    #[error("the password is too short")]
    Short,
    #[error("the password is too long")]
    Long,
    #[error("the password is too easy to guess")]
    Common,
}

impl From<WeakPassword> for ApiError {
    fn from(weak: WeakPassword) -> Self {
        match weak {
            WeakPassword::Short => Self::invalid("password_short", message!("api.password_short")),
            WeakPassword::Long => Self::invalid("password_long", message!("api.password_long")),
            WeakPassword::Common => Self::invalid("password_common", message!("api.password_common")),
        }
    }
}

#[derive(Clone)]
pub struct Passwords {
    running: Arc<Semaphore>,
    queued: Arc<AtomicUsize>,
    /// The hash that is verified for an unknown email address, so that it takes as long as a known one.
    dummy_hash: Arc<OnceLock<String>>,
    memory_kib: Arc<AtomicU32>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            running: Arc::new(Semaphore::new(MAX_CONCURRENT_HASHES)),
            queued: Arc::default(),
            dummy_hash: Arc::default(),
            memory_kib: Arc::new(AtomicU32::new(MEMORY_KIB)),
        }
    }
}

impl Passwords {
    /// Hashes a new password if it is good enough. `about` is what is known about the person, because a password made
    /// of it is easy to guess.
    pub async fn hash_new(&self, password: &str, about: &[&str]) -> Result<String, ApiError> {
        let password = normalize(password);
        match password.chars().count() {
            ..MIN_LENGTH => return Err(WeakPassword::Short.into()),
            MIN_LENGTH..=MAX_LENGTH => {}
            _ => return Err(WeakPassword::Long.into()),
        }
        let about: Vec<String> = about.iter().map(|&word| word.to_owned()).collect();
        let memory_kib = self.memory_kib();
        self.run_blocking(move || {
            if is_common(&password, &about) {
                return Err(WeakPassword::Common.into());
            }
            hash_password(&password, memory_kib)
        })
        .await?
    }

    /// Hashes a PIN or a code of few digits, which protects only as long as its attempts are limited.
    pub async fn hash_code(&self, code: &str) -> Result<String, ApiError> {
        let (code, memory_kib) = (code.to_owned(), self.memory_kib());
        self.run_blocking(move || hash_password(&code, memory_kib)).await?
    }

    /// Whether this is the password. Without a stored hash the same work is done, so that the time reveals nothing.
    pub async fn verify(&self, password: &str, stored: Option<String>) -> Result<bool, ApiError> {
        // A longer password cannot be right, and must not cost more work.
        let password = normalize(password).chars().take(MAX_LENGTH + 1).collect::<String>();
        let (dummy_hash, memory_kib) = (Arc::clone(&self.dummy_hash), self.memory_kib());
        self.run_blocking(move || {
            let known = stored.is_some();
            let stored = stored.unwrap_or_else(|| {
                let hash = || hash_password("nobody has this password", memory_kib).unwrap_or_default();
                dummy_hash.get_or_init(hash).clone()
            });
            let parsed = PasswordHash::new(&stored).map_err(|error| ApiError::internal(&error))?;
            Ok(hasher(memory_kib)?.verify_password(password.as_bytes(), &parsed).is_ok() && known)
        })
        .await?
    }

    /// Returns a new hash for a password that was just verified, if the stored one was made with weaker parameters.
    pub async fn rehash_if_outdated(&self, password: &str, stored: Option<&str>) -> Result<Option<String>, ApiError> {
        let memory_kib = self.memory_kib();
        if stored.is_none_or(|stored| !is_outdated(stored, memory_kib)) {
            return Ok(None);
        }
        let password = normalize(password);
        self.run_blocking(move || hash_password(&password, memory_kib)).await?.map(Some)
    }

    fn memory_kib(&self) -> u32 {
        self.memory_kib.load(Ordering::Relaxed)
    }

    /// Makes hashes from now on weak and fast, because most tests are not about them.
    #[cfg(debug_assertions)]
    pub fn hash_cheaply(&self, cheaply: bool) {
        self.memory_kib.store(if cheaply { 64 } else { MEMORY_KIB }, Ordering::Relaxed);
    }

    /// Runs a task on a blocking thread when its turn comes.
    async fn run_blocking<T: Send + 'static>(&self, task: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        if self.queued.fetch_add(1, Ordering::AcqRel) >= MAX_CONCURRENT_HASHES + MAX_QUEUED_HASHES {
            self.queued.fetch_sub(1, Ordering::AcqRel);
            metrics::counter!("password_hashes_rejected_total").increment(1);
            return Err(ApiError::busy());
        }
        let turn = self.running.acquire().await;
        let done = tokio::task::spawn_blocking(task).await;
        drop(turn);
        self.queued.fetch_sub(1, Ordering::AcqRel);
        done.map_err(|error| ApiError::internal(&error))
    }
}

/// Normalizes the characters, however a keyboard composed them.
fn normalize(password: &str) -> String {
    password.nfkc().collect()
}

fn hasher(memory_kib: u32) -> Result<Argon2<'static>, ApiError> {
    let params = Params::new(memory_kib, PASSES, LANES, None).map_err(|error| ApiError::internal(&error))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash_password(password: &str, memory_kib: u32) -> Result<String, ApiError> {
    let hash: PasswordHash =
        hasher(memory_kib)?.hash_password(password.as_bytes()).map_err(|error| ApiError::internal(&error))?;
    Ok(hash.to_string())
}

/// Whether a hash was made with weaker parameters than today's.
fn is_outdated(stored: &str, memory_kib: u32) -> bool {
    let Ok(hash) = PasswordHash::new(stored) else { return false };
    let Ok(params) = Params::try_from(&hash) else { return false };
    hash.algorithm.as_str() != Algorithm::Argon2id.as_str()
        || params.m_cost() < memory_kib
        || params.t_cost() < PASSES
        || params.p_cost() < LANES
}

/// The 100,000 most common passwords of at least eight characters, generated by `scripts/common-passwords.mjs`: the
/// first four bytes of the SHA-256 of each in lower case, sorted. About one in 43,000 other passwords is mistaken for
/// one of them.
static COMMON_PASSWORDS: &[u8] = include_bytes!("common_passwords.bin");

fn is_listed(password: &str) -> bool {
    let digest = Sha256::digest(password.to_lowercase().as_bytes());
    let (entries, _) = COMMON_PASSWORDS.as_chunks::<4>();
    digest.first_chunk::<4>().is_some_and(|prefix| entries.binary_search(prefix).is_ok())
}

fn is_common(password: &str, about: &[String]) -> bool {
    if is_listed(password) {
        return true;
    }
    // The parts of an email address are guessed as well.
    let words: Vec<&str> = about
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()).chain([text.as_str()]))
        .filter(|word| word.chars().count() > 2)
        .chain(LOCAL_WORDS)
        .collect();
    // 'asha.rai1990' is a decorated name, which the estimate takes for three words and a year.
    let bare = |text: &str| text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect::<String>();
    let letters = bare(password);
    let whole = about.iter().map(|text| bare(text.split('@').next().unwrap_or_default()));
    whole.chain(words.iter().map(|word| bare(word))).any(|word| !word.is_empty() && word == letters)
        || zxcvbn(password, &words).guesses() < MIN_GUESSES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn weak_passwords_are_refused_and_a_sentence_is_not() {
        let passwords = Passwords::default();
        for (weak, code) in [
            ("short1!", "password_short"),
            ("password", "password_common"),
            ("Password1", "password_common"),
            ("12345678", "password_common"),
            ("qwertyuiop", "password_common"),
            ("kathmandu", "password_common"),
            ("Thunse123", "password_common"),
            ("asha.rai", "password_common"),
            ("AshaRai-1990", "password_common"),
        ] {
            let stored = passwords.hash_new(weak, &["Asha Rai", "asha.rai@example.com"]).await;
            assert_eq!(stored.map_err(|error| error.code()), Err(code), "{weak}");
        }
        assert_eq!(passwords.hash_new(&"क".repeat(129), &[]).await.unwrap_err().code(), "password_long");
        for good in ["correct horse battery staple", "मेरो गोप्य शब्द", "dal-bhat-24-tarkari", "Xk29_plm"]
        {
            assert!(passwords.hash_new(good, &[]).await.is_ok(), "{good}");
        }
    }

    const LEAKED: [&str; 5] = ["bruckner", "melchior", "akvarium", "lk9slwGh3x", "8218yxfz"];

    /// zxcvbn accepts these, with more than 100,000 guesses for each, but they are on the list of leaked passwords.
    #[tokio::test]
    async fn leaked_passwords_are_refused_in_any_case_of_letters() {
        let passwords = Passwords::default();
        for leaked in LEAKED {
            assert!(zxcvbn(leaked, &[]).guesses() >= MIN_GUESSES, "{leaked}");
            for spelling in [leaked.to_owned(), leaked.to_uppercase()] {
                let stored = passwords.hash_new(&spelling, &[]).await;
                assert_eq!(stored.map_err(|error| error.code()), Err("password_common"), "{spelling}");
            }
        }
    }

    #[test]
    fn the_list_is_sorted_and_takes_few_other_passwords_for_listed_ones() {
        let (entries, rest) = COMMON_PASSWORDS.as_chunks::<4>();
        assert!(entries.is_sorted() && rest.is_empty() && entries.len() > 99_000, "{}", entries.len());
        let wrong = (0..1_000_000).filter(|number| is_listed(&format!("never leaked {number}"))).count();
        assert!(wrong < 60, "{wrong}");
    }

    #[tokio::test]
    async fn a_stored_password_is_recognised_however_it_was_composed() {
        let passwords = Passwords::default();
        let stored = passwords.hash_new("caf\u{e9} au lait", &[]).await.unwrap();

        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(passwords.verify("cafe\u{301} au lait", Some(stored.clone())).await.unwrap());
        assert!(!passwords.verify("cafe au lait", Some(stored)).await.unwrap());
        assert!(!passwords.verify("nobody has this password", None).await.unwrap());
    }

    #[tokio::test]
    async fn a_flood_is_told_to_come_back() {
        let passwords = Passwords::default();
        let mut running = tokio::task::JoinSet::new();
        for _ in 0..60 {
            let passwords = passwords.clone();
            running.spawn(async move { passwords.verify("x", None).await.is_err() });
        }
        let refused = running.join_all().await.into_iter().filter(|refused| *refused).count();

        assert_eq!(refused, 60 - MAX_CONCURRENT_HASHES - MAX_QUEUED_HASHES);
    }
}
