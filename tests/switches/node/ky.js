// ky with its retry switched on for POST.
import ky from "ky";
import { body, headers, report, url } from "./call.js";

const retry = { limit: 3, methods: ["post"], jitter: true, backoffLimit: 800, delay: (count) => 100 * 2 ** (count - 1) };
await report(async () => {
  const answer = await ky.post(url, { body, headers, retry, timeout: 1000 });
  await answer.text();
  return answer.status;
});
