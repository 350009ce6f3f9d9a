//! What every call passes on its way in and every answer on its way out: the caller's role is checked before a service sees the call,
//! and the answer is watched until its reader has it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use tonic::body::Body;
use tower::{Layer, Service};

use super::answers::watched;
use super::peer::Peer;
use super::roles::check;

/// Puts a gate before services.
#[derive(Clone, Copy, Debug)]
pub struct GateLayer;

impl<S> Layer<S> for GateLayer {
    type Service = Gate<S>;

    fn layer(&self, inner: S) -> Gate<S> {
        Gate { inner }
    }
}

/// The services behind a [`GateLayer`].
#[derive(Clone, Debug)]
pub struct Gate<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for Gate<S>
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
        let peer = request.extensions().get::<Peer>();
        let allowed = check(peer, request.uri().path());
        let pace = peer.map(|peer| Arc::clone(&peer.pace));
        let answered = allowed.map(|()| self.inner.call(request));
        Box::pin(async move {
            let answer = match answered {
                Ok(answered) => answered.await?,
                Err(refused) => refused.into_http(),
            };
            // Every connection that is taken here has a pace.
            Ok(match pace {
                Some(pace) => watched(answer, pace),
                None => answer,
            })
        })
    }
}
