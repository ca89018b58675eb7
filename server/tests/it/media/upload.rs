//! An upload form with a picture, sent through the form reader and the whole pipeline.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Frame;
use object_store::ObjectStoreExt;
use sqlx::PgPool;
use thunse::media::{self, PicturePurpose};
use thunse::platform::api_error::ApiError;
use thunse::platform::config::WorkerLimits;
use thunse::platform::form::{Form, FormFields};
use thunse::platform::state::App;
use tower::ServiceExt;

use crate::support::{TestResponse, TestShop};

pub const WORKER: &str = env!("CARGO_BIN_EXE_thunse");
const BOUNDARY: &str = "----thunse";

/// A server with a single endpoint that accepts pictures.
pub struct UploadServer {
    pub app: App,
    router: Router,
}

const FIELDS: FormFields = FormFields { texts: &["name", "purpose"], files: &["image"] };

async fn upload_handler(State(app): State<App>, request: Request) -> Response {
    accept_form(app, request).await.map_or_else(IntoResponse::into_response, IntoResponse::into_response)
}

async fn accept_form(app: App, request: Request) -> Result<String, ApiError> {
    let mut form = Form::read(request, &FIELDS).await?;
    let purpose = if form.text("purpose") == "avatar" { PicturePurpose::Avatar } else { PicturePurpose::Product };
    let Some(picture) = form.take_file("image") else { return Ok(format!("no picture, {}", form.text("name"))) };
    Ok(media::accept_upload(&app, picture, purpose).await?)
}

impl UploadServer {
    pub fn new(db: PgPool) -> Self {
        Self::with_worker(db, WORKER)
    }

    pub fn with_worker(db: PgPool, worker: &str) -> Self {
        Self::of(TestShop::with(db, &[("PICTURE_WORKER", worker)]).app)
    }

    pub fn with_limits(db: PgPool, worker: &str, limits: WorkerLimits) -> Self {
        let settings = [("PICTURE_WORKER", worker)];
        Self::of(TestShop::with_config(db, &settings, |config| config.pictures.limits = limits).app)
    }

    pub fn of(app: App) -> Self {
        let router = Router::new().route("/upload", post(upload_handler)).with_state(app.clone());
        Self { app, router }
    }

    pub async fn send(&self, picture: &[u8]) -> TestResponse {
        self.send_as(picture, "product").await
    }

    pub async fn send_as(&self, picture: &[u8], purpose: &str) -> TestResponse {
        let form =
            [text_part("purpose", purpose).as_bytes(), file_part().as_bytes(), picture, end().as_bytes()].concat();
        self.send_body(Body::from(form)).await
    }

    pub async fn send_body(&self, body: Body) -> TestResponse {
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        self.send_request(Request::post("/upload").header("content-type", kind).body(body).unwrap()).await
    }

    pub async fn send_request(&self, request: Request) -> TestResponse {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        TestResponse {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Uploads a picture that must be accepted, and returns the stored sizes, widest last.
    pub async fn upload_and_read(&self, picture: &[u8], purpose: &str) -> Vec<(u32, Bytes)> {
        let answer = self.send_as(picture, purpose).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let key = answer.text;
        let mut stored = Vec::new();
        for width in key.split('-').skip(1) {
            let path = object_store::path::Path::from(format!("{key}/{width}.webp"));
            let bytes = self.app.pictures.get(&path).await.unwrap().bytes().await.unwrap();
            stored.push((width.parse().unwrap(), bytes));
        }
        stored
    }
}

pub fn text_part(name: &str, text: &str) -> String {
    format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
}

pub fn file_part() -> String {
    format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"image\"; filename=\"photo.png\"\r\ncontent-type: image/png\r\n\r\n"
    )
}

pub fn end() -> String {
    format!("\r\n--{BOUNDARY}--\r\n")
}

/// A form whose picture has `size` bytes and is generated while it is read; `pulled` counts the bytes that were read.
pub struct StreamedForm {
    waiting: Vec<Bytes>,
    left: usize,
    chunk: Bytes,
    pub pulled: Arc<AtomicUsize>,
}

impl StreamedForm {
    pub fn new(picture: &[u8], size: usize) -> Self {
        let start = [file_part().as_bytes(), picture].concat();
        Self {
            waiting: vec![Bytes::from(start)],
            left: size - picture.len(),
            chunk: Bytes::from(vec![0; 64 * 1024]),
            pulled: Arc::default(),
        }
    }
}

impl HttpBody for StreamedForm {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let next = self.waiting.pop().or_else(|| {
            let size = self.left.min(self.chunk.len());
            self.left -= size;
            match (size, self.chunk.len()) {
                (0, 0) => None,
                (0, _) => {
                    self.chunk = Bytes::new();
                    Some(Bytes::from(end()))
                }
                _ => Some(self.chunk.slice(..size)),
            }
        });
        if let Some(data) = &next {
            self.pulled.fetch_add(data.len(), Ordering::Relaxed);
        }
        Poll::Ready(next.map(|data| Ok(Frame::data(data))))
    }
}
