//! A client of HTTP that knows nothing of this program, and a strict reader of the metrics that it gets.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use prometheus_parse::LineInfo;

/// An answer over HTTP.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// Asks for a page, as a client that knows nothing of this program.
#[track_caller]
pub fn get(address: &str, path: &str) -> Answer {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n"))
}

/// Sends something and reads all that comes back.
#[track_caller]
pub fn ask(address: &str, request: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // It may have been refused before all of it was sent.
    let _ = stream.write_all(request.as_bytes());
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Answer { status, head: head.to_lowercase(), body: body.to_owned() }
}

/// A page of metrics: each sample by its name and labels, as they are written.
#[derive(Debug)]
pub struct Samples(BTreeMap<String, f64>);

impl Samples {
    /// Reads the metrics of a coordinator, and checks that they are as Prometheus wants them.
    #[track_caller]
    pub fn read(http: &str) -> Self {
        let answer = get(http, "/metrics");
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.head.contains("content-type: text/plain; version=0.0.4"), "{}", answer.head);
        Self::parse(&answer.body)
    }

    #[track_caller]
    pub fn parse(text: &str) -> Self {
        let (mut samples, mut documented, mut types) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        for line in text.lines() {
            match LineInfo::parse(line) {
                LineInfo::Doc { metric_name, doc } => {
                    assert!(documented.insert(metric_name.to_owned()) && doc.len() > 10, "{line}");
                }
                LineInfo::Type { metric_name, metric_alias, sample_type } => {
                    let name = metric_alias.unwrap_or(metric_name);
                    assert!(documented.contains(&name), "{line} comes before its HELP");
                    let kind = format!("{sample_type:?}");
                    assert_eq!(name.ends_with("_total"), kind == "Counter", "{line}");
                    assert!(types.insert(name, kind).is_none(), "{line} comes twice");
                }
                LineInfo::Sample { metric_name, labels, value, timestamp } => {
                    let family =
                        ["_bucket", "_sum", "_count"].iter().find_map(|part| metric_name.strip_suffix(part)).unwrap_or(metric_name);
                    assert!(types.contains_key(family) && metric_name.starts_with("refute_") && timestamp.is_none(), "{line}");
                    let name = labels.map_or_else(|| metric_name.to_owned(), |labels| format!("{metric_name}{{{labels}}}"));
                    assert!(samples.insert(name, value.parse().unwrap()).is_none(), "{line} comes twice");
                }
                other => panic!("{line} is {other:?}"),
            }
        }
        let samples = Self(samples);
        types.iter().filter(|(_, kind)| *kind == "Histogram").for_each(|(name, _)| samples.check_histogram(name));
        samples
    }

    /// Its buckets do not fall, and the last one holds all.
    #[track_caller]
    fn check_histogram(&self, name: &str) {
        let start = format!("{name}_bucket{{le=\"");
        let bound = |key: &str| key.strip_prefix(&start).and_then(|rest| rest.strip_suffix("\"}")).map(|le| le.parse::<f64>().unwrap());
        let mut buckets: Vec<(f64, f64)> = self.0.iter().filter_map(|(key, count)| Some((bound(key)?, *count))).collect();
        buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(buckets.len() > 5 && buckets.is_sorted_by(|a, b| a.1 <= b.1), "{name}: {buckets:?}");
        assert_eq!(buckets.last(), Some(&(f64::INFINITY, self.get(&format!("{name}_count")))), "{name}");
    }

    #[track_caller]
    pub fn get(&self, name: &str) -> f64 {
        self.find(name).unwrap_or_else(|| panic!("no {name} in {:#?}", self.0))
    }

    pub fn find(&self, name: &str) -> Option<f64> {
        self.0.get(name).copied()
    }

    /// The names of all metrics, without labels.
    pub fn names(&self) -> BTreeSet<&str> {
        self.0.keys().filter_map(|key| key.split('{').next()).collect()
    }
}
