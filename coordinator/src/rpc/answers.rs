//! Watches the answers on their way out: each waits for its reader from when it is there until it is taken.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::pace::{Pace, Place};
use super::peer::Peer;

/// Has every answer of a connection watched.
#[derive(Clone, Copy, Debug)]
pub struct PaceLayer;

impl<S> Layer<S> for PaceLayer {
    type Service = Paced<S>;

    fn layer(&self, inner: S) -> Paced<S> {
        Paced { inner }
    }
}

/// The services behind a [`PaceLayer`].
#[derive(Clone, Debug)]
pub struct Paced<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for Paced<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let pace = request.extensions().get::<Peer>().map(|peer| Arc::clone(&peer.pace));
        let answered = self.inner.call(request);
        Box::pin(async move {
            let mut answer = answered.await?;
            let place = answer.extensions_mut().remove::<Place>();
            Ok(match pace {
                Some(pace) => answer.map(|body| Body::new(Answer::new(body, pace, place))),
                // Every connection that is taken here has one.
                None => answer,
            })
        })
    }
}

/// The body of an answer. What comes of it waits for the reader until the next is asked for.
struct Answer {
    body: Body,
    pace: Arc<Pace>,
    number: u64,
    place: Option<Place>,
}

impl Answer {
    fn new(body: Body, pace: Arc<Pace>, place: Option<Place>) -> Self {
        let number = pace.begin();
        let answer = Self { body, pace, number, place };
        answer.wait();
        answer
    }

    fn wait(&self) {
        self.pace.wait(self.number, self.place.as_ref().map(Place::end));
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let answer = self.get_mut();
        let frame = Pin::new(&mut answer.body).poll_frame(context);
        match &frame {
            Poll::Ready(Some(Ok(_))) => answer.wait(),
            Poll::Ready(_) | Poll::Pending => answer.pace.forget(answer.number),
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.pace.forget(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_waits_for_its_reader_from_the_beginning_and_after_each_part() {
        let (pace, _closed) = Pace::new(([127, 0, 0, 1], 1).into());
        let waits = || pace.waits();
        let mut answer = Answer::new(Body::new("part".to_owned()), Arc::clone(&pace), None);
        assert!(waits());
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(matches!(Pin::new(&mut answer).poll_frame(&mut context), Poll::Ready(Some(Ok(_)))));
        assert!(waits());
        assert!(matches!(Pin::new(&mut answer).poll_frame(&mut context), Poll::Ready(None)));
        assert!(!waits());
        let answer = Answer::new(Body::new("part".to_owned()), Arc::clone(&pace), None);
        drop(answer);
        assert!(!waits(), "one that was dropped waits for nobody");
    }
}
