//! Makes the one call that the vectors ask for, with a library's retries (protocol: idempact.vectors.client).

use std::env;
use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable};
use reqwest::Client;
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware};
use reqwest_retry::RetryTransientMiddleware;
use reqwest_retry::policies::ExponentialBackoff;

const BASE: Duration = Duration::from_millis(100);
const CAP: Duration = Duration::from_millis(800);
const RETRIES: usize = 3;

/// The last answer's status, where there was one.
type Status = Option<u16>;

fn header() -> Option<(&'static str, String)> {
    env::var("VECTOR_KEY")
        .ok()
        .map(|key| ("Idempotency-Key", key))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn client() -> Client {
    Client::builder()
        .connect_timeout(Duration::from_millis(500))
        .timeout(Duration::from_secs(1))
        .build()
        .expect("a client")
}

/// reqwest-middleware with reqwest-retry's middleware.
async fn middleware() -> Status {
    let policy = ExponentialBackoff::builder()
        .retry_bounds(BASE, CAP)
        .build_with_max_retries(RETRIES as u32);
    let client: ClientWithMiddleware = ClientBuilder::new(client())
        .with(RetryTransientMiddleware::new_with_policy(policy))
        .build();
    let mut request = client
        .post(variable("VECTOR_URL"))
        .header("Content-Type", "application/json")
        .body(variable("VECTOR_BODY"));
    if let Some((name, key)) = header() {
        request = request.header(name, key);
    }
    let answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    answer.bytes().await.ok().map(|_| status)
}

/// backon around reqwest and error_for_status.
async fn backoff() -> Status {
    let client = client();
    let call = || async {
        let mut request = client
            .post(variable("VECTOR_URL"))
            .header("Content-Type", "application/json")
            .body(variable("VECTOR_BODY"));
        if let Some((name, key)) = header() {
            request = request.header(name, key);
        }
        let answer = request.send().await?.error_for_status()?;
        let status = answer.status().as_u16();
        answer.bytes().await.map(|_| status)
    };
    let policy = ExponentialBuilder::default()
        .with_jitter()
        .with_min_delay(BASE)
        .with_max_delay(CAP)
        .with_max_times(RETRIES);
    match call.retry(policy).await {
        Ok(status) => Some(status),
        Err(error) => error.status().map(|status| status.as_u16()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let start = Instant::now();
    let status = match env::args().nth(1).as_deref() {
        Some("backon") => backoff().await,
        _ => middleware().await,
    };
    let ok = status.is_some_and(|status| (200..300).contains(&status));
    let elapsed = start.elapsed().as_millis();
    println!(
        "{}",
        serde_json::json!({"ok": ok, "status": status, "kind": "", "elapsed_ms": elapsed as u64})
    );
}
