// Makes the one call that the vectors ask for, and reports on it (protocol: idempact.vectors.client).
export const { VECTOR_URL: url, VECTOR_KEY: key, VECTOR_BODY: body } = process.env;
export const headers = { "Content-Type": "application/json", ...(key && { "Idempotency-Key": key }) };
export const deadlineMs = process.env.VECTOR_PROFILE === "tight" ? 1500 : 5000;

/** Awaits the status of the last answer, or an error that may hold the answer. */
export async function report(call) {
  const start = performance.now();
  let status;
  try {
    status = await call();
  } catch (error) {
    status = error.response?.status ?? error.response?.statusCode ?? null;
  }
  const ok = status >= 200 && status < 300;
  console.log(JSON.stringify({ ok, status, kind: "", elapsed_ms: Math.round(performance.now() - start) }));
  process.exit();
}
