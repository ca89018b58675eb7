//! Drains the body of a request that is refused early. If the server closed the connection while the client was still
//! sending, the response would be lost, and a proxy would take the broken connection for a broken server: after a few
//! such requests it would give up every instance. So the unread rest is read and dropped, within limits, and the
//! connection stays usable.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use tokio::runtime::Handle;

/// More than the largest form that we accept.
const MAX_DRAINED_BYTES: usize = 24 << 20;
const MAX_DRAIN_TIME: Duration = Duration::from_secs(20);

/// Wraps a body so that its unread rest is drained when it is dropped.
pub fn drain_on_drop(body: Body) -> Body {
    if body.is_end_stream() { body } else { Body::new(DrainOnDrop(Some(body))) }
}

struct DrainOnDrop(Option<Body>);

impl HttpBody for DrainOnDrop {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(body) = self.0.as_mut() else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.0 = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for DrainOnDrop {
    fn drop(&mut self) {
        let rest = self.0.take().filter(|body| !body.is_end_stream());
        if let (Some(body), Ok(runtime)) = (rest, Handle::try_current()) {
            runtime.spawn(tokio::time::timeout(MAX_DRAIN_TIME, drain(body)));
        }
    }
}

async fn drain(mut body: Body) {
    let mut left = MAX_DRAINED_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let size = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(size) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
