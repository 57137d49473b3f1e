// axios with axios-retry; with `post` for every method.
import axios from "axios";
import axiosRetry from "axios-retry";
import { body, headers, report, url } from "./call.js";

const client = axios.create({ timeout: 1000, proxy: false });
const post = { retryCondition: (error) => axiosRetry.isNetworkError(error) || axiosRetry.isRetryableError(error) };
const retryDelay = (count, error) => axiosRetry.exponentialDelay(count, error, 100);
axiosRetry(client, { retries: 3, retryDelay, shouldResetTimeout: true, ...(process.argv[2] === "post" && post) });
await report(async () => (await client.post(url, body, { headers })).status);
