//! Reads a multipart form as it arrives and stops at its limits, so that no client decides how much memory it takes.

use std::collections::HashMap;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::{Bytes, BytesMut};
use http::header;
use hyper::body::Frame;
use multer::{Constraints, Field, Multipart, SizeLimit};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::api_error::ApiError;
use super::messages::{Message, message};

/// The largest picture that the contract allows.
pub const MAX_FILE: usize = 10_485_760;
const MAX_TEXT: usize = 64 * 1024;
const MAX_PARTS: usize = 30;
/// The space that the headers and boundaries of the parts may take.
const MAX_MULTIPART_OVERHEAD: usize = 64 * 1024;
/// The whole form must arrive within this time, however steadily the client sends.
pub const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// A file up to this size needs no permit.
const SMALL_FILE: usize = 128 * 1024;
/// How many pictures of the largest size the forms of this process may hold at the same time: two being decoded, two
/// arriving. A larger file takes several permits, so that the limit of memory stays the same.
static LARGE_FILES: Semaphore = Semaphore::const_new(LARGE_FILE_PERMITS);
const LARGE_FILE_PERMITS: usize = 4;
/// How long a large file waits for a permit, while nothing is read from its client.
const LARGE_FILE_WAIT: Duration = Duration::from_secs(20);

/// The parts that a form may have.
pub struct FormFields {
    pub texts: &'static [&'static str],
    pub files: &'static [&'static str],
}

/// Keep it until the files are processed, because it holds the permit for large files.
pub struct Form {
    texts: HashMap<String, String>,
    files: HashMap<String, Bytes>,
    permit: Option<SemaphorePermit<'static>>,
}

impl Form {
    pub async fn read(request: Request, fields: &FormFields) -> Result<Self, ApiError> {
        Self::read_large(request, fields, MAX_FILE).await
    }

    /// Reads a form whose files may be larger than a picture, up to what all permits together stand for.
    pub async fn read_large(request: Request, fields: &FormFields, max_file: usize) -> Result<Self, ApiError> {
        tokio::time::timeout(READ_TIMEOUT, Self::read_parts(request, fields, max_file))
            .await
            .unwrap_or_else(|_elapsed| Err(malformed(message!("api.form_too_slow"))))
    }

    async fn read_parts(request: Request, fields: &FormFields, max_file: usize) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let boundary = multer::parse_boundary(kind).map_err(|_| malformed(message!("api.form_expected")))?;
        let content_length =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let whole = max_file * fields.files.len() + MAX_TEXT + MAX_MULTIPART_OVERHEAD;
        let limits = SizeLimit::new().whole_stream(u64::try_from(whole).unwrap_or(u64::MAX));
        let body = Body::new(FrameByFrame { body: request.into_body(), must_yield: false });
        let mut parts =
            Multipart::with_constraints(body.into_data_stream(), boundary, Constraints::new().size_limit(limits));

        let mut form = Self { texts: HashMap::new(), files: HashMap::new(), permit: None };
        let mut text_left = MAX_TEXT;
        let mut parts_left = MAX_PARTS;
        while let Some(part) = parts.next_field().await.map_err(|error| map_multipart_error(error, max_file))? {
            parts_left = parts_left.checked_sub(1).ok_or_else(ApiError::too_large)?;
            let name = part.name().unwrap_or_default().to_owned();
            if fields.files.contains(&name.as_str()) {
                let file = form.read_file(part, content_length, max_file).await?;
                form.files.insert(name, file);
            } else if fields.texts.contains(&name.as_str()) {
                let text = read_text(part, &mut text_left, max_file).await?;
                form.texts.insert(name, text);
            } else {
                return Err(ApiError::invalid("unknown_field", message!("api.form_unknown_field")));
            }
        }
        Ok(form)
    }

    async fn read_file(
        &mut self,
        mut part: Field<'_>,
        content_length: Option<usize>,
        max_file: usize,
    ) -> Result<Bytes, ApiError> {
        let mut file = BytesMut::new();
        while let Some(chunk) = part.chunk().await.map_err(|error| map_multipart_error(error, max_file))? {
            let size = file.len() + chunk.len();
            if size > max_file {
                return Err(file_too_large(max_file));
            }
            if size > SMALL_FILE && self.permit.is_none() {
                self.permit = Some(acquire_large_file_permit(content_length.unwrap_or(max_file).min(max_file)).await?);
                // The buffer is reserved once, to the announced size: growing it step by step would hold the file twice
                // at every step.
                file.reserve(content_length.unwrap_or(0).min(max_file).saturating_sub(file.len()));
            }
            file.extend_from_slice(&chunk);
        }
        Ok(file.freeze())
    }

    /// The text as it was sent; `None` if the part is absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The text as it was sent; empty if the part is absent.
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// Takes the file out of the form. Browsers send an empty file for an untouched input, which counts as no file.
    pub fn take_file(&mut self, name: &str) -> Option<Bytes> {
        self.files.remove(name).filter(|file| !file.is_empty())
    }
}

async fn acquire_large_file_permit(size: usize) -> Result<SemaphorePermit<'static>, ApiError> {
    let permits = u32::try_from(size.div_ceil(MAX_FILE).clamp(1, LARGE_FILE_PERMITS)).unwrap_or(1);
    if let Ok(Ok(permit)) = tokio::time::timeout(LARGE_FILE_WAIT, LARGE_FILES.acquire_many(permits)).await {
        return Ok(permit);
    }
    metrics::counter!("uploads_rejected_total").increment(1);
    Err(ApiError::unavailable("busy", message!("api.media.busy")))
}

async fn read_text(mut part: Field<'_>, left: &mut usize, max_file: usize) -> Result<String, ApiError> {
    let mut text = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(|error| map_multipart_error(error, max_file))? {
        *left = left.checked_sub(chunk.len()).ok_or_else(ApiError::too_large)?;
        text.extend_from_slice(&chunk);
    }
    let text = String::from_utf8(text).map_err(|_| malformed(message!("api.form_not_utf8")))?;
    if text.contains('\0') { Err(ApiError::invalid_character()) } else { Ok(text) }
}

fn malformed(message: Message) -> ApiError {
    ApiError::bad_request("body_malformed", message)
}

fn file_too_large(max_file: usize) -> ApiError {
    if max_file > MAX_FILE {
        return ApiError::payload_too_large("file_size", message!("api.form_file_too_large", most = max_file >> 20));
    }
    ApiError::payload_too_large("image_size", message!("api.media.too_large"))
}

fn map_multipart_error(error: multer::Error, max_file: usize) -> ApiError {
    match error {
        // Only a file can make the stream that long, because texts are limited earlier.
        multer::Error::StreamSizeExceeded { .. } => file_too_large(max_file),
        multer::Error::StreamReadFailed(_) => malformed(message!("api.body_incomplete")),
        other => malformed(message!("api.request_invalid", detail = other.to_string())),
    }
}

/// Hands the multipart parser one frame at a time. Otherwise the parser would buffer everything that is available
/// before it looks at it: a fast client's file would be held twice, and a refused one would be read to its end.
struct FrameByFrame {
    body: Body,
    must_yield: bool,
}

impl HttpBody for FrameByFrame {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if std::mem::take(&mut this.must_yield) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.body).poll_frame(context);
        this.must_yield = matches!(polled, Poll::Ready(Some(Ok(_))));
        polled
    }
}
