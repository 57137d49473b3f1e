// p-retry around fetch, with an error for every answer that is no success.
import pRetry from "p-retry";
import { body, deadlineMs, headers, report, url } from "./call.js";

const options = { retries: 3, minTimeout: 100, maxTimeout: 800, randomize: true, maxRetryTime: deadlineMs };
await report(() => pRetry(async () => {
  const response = await fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(1000) });
  await response.text();
  if (!response.ok) throw Object.assign(new Error(`HTTP ${response.status}`), { response });
  return response.status;
}, options));
