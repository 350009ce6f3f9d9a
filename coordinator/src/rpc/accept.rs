//! Accepts connections: shakes hands where TLS is on, bounds how many handshakes are under way, and logs each caller that it
//! refuses.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;
use tracing::warn;

use crate::connection_limit::ConnectionLimit;

use super::connection::{Connection, Stream};
use super::handshake::refusal;
use super::peer::Subject;
use super::tls::Tls;

/// How many handshakes are under way at a time; further callers wait.
const MAX_HANDSHAKES: usize = 256;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long it may take while others wait, so that those who say nothing do not keep out those who do.
const HANDSHAKE_WHILE_OTHERS_WAIT: Duration = Duration::from_secs(1);

/// The wait before the next connection when the system gives none, for instance because it is out of file descriptors.
const WITHOUT_CONNECTIONS: Duration = Duration::from_millis(250);

/// The first byte from a client that speaks TLS: the kind of record that a handshake is.
const FIRST_OF_TLS: [u8; 1] = [22];

/// How long a caller in plain text waits for the alert that says no. By then a client of HTTP/2 has made its call, and can
/// say why it fails; before, it would only say that the connection was closed.
const BEFORE_AN_ALERT: Duration = Duration::from_millis(200);

/// The connections that come in, without TLS as they come, with it once their handshake is done. Handshakes run side by side;
/// the connections come out in the order in which handshakes end.
pub fn connections(listener: TcpListener, tls: Option<Tls>) -> ReceiverStream<Result<Connection, Infallible>> {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut incoming = Incoming { listener, tls, handshakes: ConnectionLimit::new(MAX_HANDSHAKES, HANDSHAKE_WHILE_OTHERS_WAIT) };
        loop {
            let connection = tokio::select! {
                connection = incoming.next() => connection,
                () = sender.closed() => return,
            };
            if sender.send(Ok(connection)).await.is_err() {
                return;
            }
        }
    });
    ReceiverStream::new(receiver)
}

struct Incoming {
    listener: TcpListener,
    tls: Option<Tls>,
    handshakes: ConnectionLimit<Option<Connection>>,
}

impl Incoming {
    /// The next connection. Cancelled, it loses none.
    async fn next(&mut self) -> Connection {
        loop {
            let (is_full, grace_ends) = (self.handshakes.is_full(), self.handshakes.grace_ends());
            tokio::select! {
                Some(ended) = self.handshakes.next() => {
                    if let Some(connection) = ended.flatten() {
                        return connection;
                    }
                }
                () = sleep_until(grace_ends), if is_full => { self.give_up_oldest(); }
                accepted = self.listener.accept(), if !is_full => match accepted {
                    Ok((stream, address)) => {
                        if let Some(connection) = self.receive(stream, address) {
                            return connection;
                        }
                    }
                    Err(error) => self.without_connections(&error).await,
                },
            }
        }
    }

    /// Takes a connection in: one in plain text is ready at once.
    fn receive(&mut self, stream: TcpStream, address: SocketAddr) -> Option<Connection> {
        // Without it an answer in several parts waits for the other side's delayed acknowledgement, some 40 ms a shard. It can
        // only fail if the other side has gone.
        stream.set_nodelay(true).ok()?;
        let Some(tls) = &mut self.tls else {
            return Some(Connection::new(Stream::Plain(stream), address, None));
        };
        self.handshakes.serve(address, shake_hands(tls.acceptor(), stream, address));
        None
    }

    /// Waits a little where the system gives no connection, and says why; then those whose handshake takes long make room. A
    /// connection that its caller closed before it was accepted is no reason to wait.
    async fn without_connections(&mut self, error: &io::Error) {
        if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted) {
            return;
        }
        warn!(reason = %error, "no connections can be taken");
        sleep(WITHOUT_CONNECTIONS).await;
        while self.give_up_oldest() {}
    }

    /// Gives up the oldest handshake if it has taken long, and says whether it has.
    fn give_up_oldest(&mut self) -> bool {
        let given_up = self.handshakes.close_oldest();
        if let Some(peer) = given_up {
            let reason = "its handshake was not done while many others waited";
            warn!(%peer, reason, "connection refused");
        }
        given_up.is_some()
    }
}

/// Begins the handshake once the other side has said something.
async fn accept(acceptor: TlsAcceptor, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    let mut first = [0];
    if stream.peek(&mut first).await? > 0 && first != FIRST_OF_TLS {
        sleep(BEFORE_AN_ALERT).await;
    }
    acceptor.accept(stream).await
}

/// Makes a connection with TLS of one, or says in the log why there is none.
async fn shake_hands(acceptor: TlsAcceptor, stream: TcpStream, address: SocketAddr) -> Option<Connection> {
    let shaken = timeout(HANDSHAKE, accept(acceptor, stream)).await;
    let accepted = match shaken {
        Err(_) => Err(format!("its handshake was not done within {} s", HANDSHAKE.as_secs())),
        Ok(Err(error)) => Err(refusal(&error)),
        Ok(Ok(stream)) => match stream.get_ref().1.peer_certificates().and_then(|chain| chain.first()) {
            Some(certificate) => Subject::of(certificate).map(|subject| (stream, subject)).map_err(|error| error.to_string()),
            None => Err("it has no certificate".to_owned()),
        },
    };
    match accepted {
        Ok((stream, subject)) => Some(Connection::new(Stream::Tls(Box::new(stream)), address, Some(Arc::new(subject)))),
        Err(reason) => {
            warn!(peer = %address, reason, "connection refused");
            None
        }
    }
}
