//! An accepted connection, in plain text or with TLS. It breaks unless the client sends the preface of HTTP/2 within five
//! seconds, and when it does not take its answers.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{Sleep, sleep};
use tokio_rustls::server::TlsStream;
use tonic::transport::server::Connected;
use tracing::warn;

use super::pace::Pace;
use super::peer::{Peer, Subject};

/// How many bytes a client of HTTP/2 sends first, its preface.
const PREFACE_BYTES: usize = 24;

/// How long that may take. Only from then on does the server ask by itself whether a connection that is silent still lives.
const PREFACE: Duration = Duration::from_secs(5);

/// A connection that was accepted, with what is known about the other end. One that does not begin to speak HTTP/2 in time breaks.
pub struct Connection {
    stream: Stream,
    peer: Peer,
    /// None once it has begun.
    opening: Option<Opening>,
    /// Resolves when the other end does not take its answers.
    closed: oneshot::Receiver<()>,
}

/// What is missing of the preface, and until when it may come.
struct Opening {
    missing: usize,
    end: Pin<Box<Sleep>>,
}

/// The bytes of a connection.
pub enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Connection {
    pub fn new(stream: Stream, address: SocketAddr, subject: Option<Arc<Subject>>) -> Self {
        let opening = Opening { missing: PREFACE_BYTES, end: Box::pin(sleep(PREFACE)) };
        let (pace, closed) = Pace::new(address);
        Self { stream, peer: Peer { address, subject, pace }, opening: Some(opening), closed }
    }

    /// Breaks the connection if its answers are not taken.
    fn check_pace(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match Pin::new(&mut self.closed).poll(context) {
            // What could close it is there as long as the connection.
            Poll::Pending | Poll::Ready(Err(_)) => Ok(()),
            Poll::Ready(Ok(())) => Err(io::Error::new(io::ErrorKind::TimedOut, "the other end does not read")),
        }
    }

    /// Counts the bytes of the preface.
    fn hear(&mut self, bytes: usize) {
        self.opening = self.opening.take().filter(|opening| opening.missing > bytes);
        if let Some(opening) = &mut self.opening {
            opening.missing -= bytes;
        }
    }

    /// Whether the time for the preface is over before it has come.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        self.opening.as_mut().is_some_and(|opening| opening.end.as_mut().poll(context).is_ready())
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        connection.check_pace(context)?;
        let before = buffer.filled().len();
        let read = match &mut connection.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if read.is_pending() && connection.is_late(context) {
            let reason = format!("it did not begin to speak HTTP/2 within {} s", PREFACE.as_secs());
            warn!(peer = %connection.peer.address, reason, "connection refused");
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, reason)));
        }
        connection.hear(buffer.filled().len() - before);
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        connection.check_pace(context)?;
        match &mut connection.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(self: Pin<&mut Self>, context: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        connection.check_pace(context)?;
        match &mut connection.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        connection.check_pace(context)?;
        match &mut connection.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
