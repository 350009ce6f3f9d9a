//! Watches the answers on their way out: each waits for its reader from when it is there until it is taken.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Response;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::pace::{Pace, Place};

/// An answer that is watched at the pace of its connection, with the place that it has if it is a large one.
pub fn watched(mut answer: Response<Body>, pace: Arc<Pace>) -> Response<Body> {
    let place = answer.extensions_mut().remove::<Place>();
    answer.map(|body| Body::new(Answer::new(body, pace, place)))
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
