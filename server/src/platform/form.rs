//! A multipart form, read as it comes and cut off at its limits, so that no sender decides how much memory it takes.

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

/// The contract's largest picture.
pub const MAX_FILE: usize = 10_485_760;
const MAX_TEXT: usize = 64 * 1024;
const MAX_PARTS: usize = 30;
/// What the parts' own headers and boundaries may add.
const MAX_WRAPPING: usize = 64 * 1024;
/// The whole form must have arrived by then, however steadily it drips.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// A file may grow to this size without asking.
const SMALL_FILE: usize = 128 * 1024;
/// Forms that may hold a larger file at the same time, in the whole process: two being decoded, two arriving.
static LARGE_FILES: Semaphore = Semaphore::const_new(4);
/// How long a large file waits for its turn; meanwhile its sender is not read from.
const TURN: Duration = Duration::from_secs(20);

/// The parts that a form may have.
pub struct Fields {
    pub texts: &'static [&'static str],
    pub files: &'static [&'static str],
}

/// Keep it until the files are dealt with: it holds their place among the large files of this process.
pub struct Form {
    texts: HashMap<String, String>,
    files: HashMap<String, Bytes>,
    turn: Option<SemaphorePermit<'static>>,
}

impl Form {
    pub async fn read(request: Request, fields: &Fields) -> Result<Self, ApiError> {
        tokio::time::timeout(PATIENCE, Self::read_parts(request, fields))
            .await
            .unwrap_or_else(|_elapsed| Err(malformed("The form took too long to arrive.")))
    }

    async fn read_parts(request: Request, fields: &Fields) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let boundary = multer::parse_boundary(kind).map_err(|_| malformed("This call wants a multipart form."))?;
        let announced =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let whole = MAX_FILE * fields.files.len() + MAX_TEXT + MAX_WRAPPING;
        let limits = SizeLimit::new().whole_stream(u64::try_from(whole).unwrap_or(u64::MAX));
        let body = Body::new(OneAtATime { body: request.into_body(), rest: false });
        let mut parts =
            Multipart::with_constraints(body.into_data_stream(), boundary, Constraints::new().size_limit(limits));

        let mut form = Self { texts: HashMap::new(), files: HashMap::new(), turn: None };
        let mut text_left = MAX_TEXT;
        let mut parts_left = MAX_PARTS;
        while let Some(part) = parts.next_field().await.map_err(refusal)? {
            parts_left = parts_left.checked_sub(1).ok_or_else(ApiError::too_large)?;
            let name = part.name().unwrap_or_default().to_owned();
            if fields.files.contains(&name.as_str()) {
                let file = form.read_file(part, announced).await?;
                form.files.insert(name, file);
            } else if fields.texts.contains(&name.as_str()) {
                let text = read_text(part, &mut text_left).await?;
                form.texts.insert(name, text);
            } else {
                return Err(ApiError::invalid("unknown_field", "This form has a field that is not known here."));
            }
        }
        Ok(form)
    }

    async fn read_file(&mut self, mut part: Field<'_>, announced: Option<usize>) -> Result<Bytes, ApiError> {
        let mut file = BytesMut::new();
        while let Some(chunk) = part.chunk().await.map_err(refusal)? {
            let size = file.len() + chunk.len();
            if size > MAX_FILE {
                return Err(file_too_large());
            }
            if size > SMALL_FILE && self.turn.is_none() {
                self.turn = Some(take_turn().await?);
                // Once, to the size that was announced: growing step by step would hold the file twice at every step.
                file.reserve(announced.unwrap_or(0).min(MAX_FILE).saturating_sub(file.len()));
            }
            file.extend_from_slice(&chunk);
        }
        Ok(file.freeze())
    }

    /// As it was sent; `None` when the part is absent.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// As it was sent; nothing when the part is absent.
    pub fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_default()
    }

    /// Hands the file over. Browsers send an empty one for an input that nobody touched: that is none.
    pub fn file(&mut self, name: &str) -> Option<Bytes> {
        self.files.remove(name).filter(|file| !file.is_empty())
    }
}

async fn take_turn() -> Result<SemaphorePermit<'static>, ApiError> {
    if let Ok(Ok(turn)) = tokio::time::timeout(TURN, LARGE_FILES.acquire()).await {
        return Ok(turn);
    }
    metrics::counter!("uploads_turned_away_total").increment(1);
    Err(ApiError::unavailable("busy", "Many pictures are arriving at once. Please try again in a moment."))
}

async fn read_text(mut part: Field<'_>, left: &mut usize) -> Result<String, ApiError> {
    let mut text = Vec::new();
    while let Some(chunk) = part.chunk().await.map_err(refusal)? {
        *left = left.checked_sub(chunk.len()).ok_or_else(ApiError::too_large)?;
        text.extend_from_slice(&chunk);
    }
    let text = String::from_utf8(text).map_err(|_| malformed("The form is not UTF-8."))?;
    if text.contains('\0') { Err(ApiError::no_text()) } else { Ok(text) }
}

fn malformed(message: &str) -> ApiError {
    ApiError::bad_request("body_malformed", message)
}

fn file_too_large() -> ApiError {
    ApiError::payload_too_large("image_size", "File is too large. Maximum size is 10MB.")
}

fn refusal(error: multer::Error) -> ApiError {
    match error {
        // Only a file can make the stream that long; texts are stopped before.
        multer::Error::StreamSizeExceeded { .. } => file_too_large(),
        multer::Error::StreamReadFailed(_) => malformed("The request ended too early."),
        other => malformed(&other.to_string()),
    }
}

/// The reader of parts takes whatever is there into its own buffer before it looks at it. This hands it one piece at a
/// time, so that a fast sender's file is not held twice and a refused one is not read to its end.
struct OneAtATime {
    body: Body,
    rest: bool,
}

impl HttpBody for OneAtATime {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if std::mem::take(&mut this.rest) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = Pin::new(&mut this.body).poll_frame(context);
        this.rest = matches!(polled, Poll::Ready(Some(Ok(_))));
        polled
    }
}
