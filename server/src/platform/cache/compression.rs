//! The encodings of a response body, and the work of compressing it.

use std::io::{self, Write};
use std::sync::LazyLock;

use bytes::Bytes;
use http::{HeaderMap, header};
use tokio::sync::Semaphore;

/// A body of up to this size is compressed on the request's own thread, because handing it to another one costs as
/// much.
pub const MAX_INLINE_COMPRESSION_BYTES: usize = 4 * 1024;
/// A flood of large responses may use every core, but not hundreds of threads.
pub static COMPRESSION_PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)));

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Zstd,
    Gzip,
}

impl Encoding {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    /// The first of `offered` that the client accepts (`;q=0` means that it does not).
    pub fn best(request_headers: &HeaderMap, offered: &[Self]) -> Option<Self> {
        let accepted = request_headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
        offered.iter().copied().find(|encoding| {
            accepted.split(',').any(|item| {
                let mut parts = item.split(';');
                let name = parts.next().unwrap_or_default().trim();
                let refused = parts.any(|part| {
                    part.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0))
                });
                name.eq_ignore_ascii_case(encoding.name()) && !refused
            })
        })
    }
}

/// Returns the compressed body, or `None` if that failed; then the plain body must be sent.
pub async fn compress(encoding: Encoding, body: &Bytes) -> Option<Bytes> {
    let own = body.clone();
    run(body.len(), move || if encoding == Encoding::Brotli { brotli(&own) } else { gzip(&own) }).await
}

/// Compresses a small body at once, and a large one on a thread that no request waits behind.
async fn run(size: usize, work: impl FnOnce() -> io::Result<Bytes> + Send + 'static) -> Option<Bytes> {
    let compressed = if size <= MAX_INLINE_COMPRESSION_BYTES {
        work()
    } else {
        // The semaphore is never closed.
        let _turn = COMPRESSION_PERMITS.acquire().await;
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    };
    compressed.inspect_err(|error| tracing::error!(%error, "could not compress a response")).ok()
}

/// Quality 5 is within a few percent of the best for JSON of this size, in a twentieth of the time.
fn brotli(body: &[u8]) -> io::Result<Bytes> {
    let mut out = Vec::with_capacity(body.len() / 4);
    let params = brotli::enc::BrotliEncoderParams { quality: 5, size_hint: body.len(), ..Default::default() };
    brotli::BrotliCompress(&mut io::Cursor::new(body), &mut out, &params)?;
    Ok(out.into())
}

fn gzip(body: &[u8]) -> io::Result<Bytes> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(body.len() / 4), flate2::Compression::new(6));
    encoder.write_all(body)?;
    Ok(encoder.finish()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_cannot_be_compressed_is_reported_as_such() {
        for size in [MAX_INLINE_COMPRESSION_BYTES, MAX_INLINE_COMPRESSION_BYTES + 1] {
            assert_eq!(run(size, || Err(io::Error::other("no memory"))).await, None);
        }
        assert_eq!(run(MAX_INLINE_COMPRESSION_BYTES + 1, || panic!("a bug in the encoder")).await, None);
    }
}
