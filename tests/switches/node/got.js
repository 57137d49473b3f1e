// got with its retry switched on for POST.
import got from "got";
import { body, headers, report, url } from "./call.js";

const timeout = { connect: 500, request: 1000 };
await report(async () => (await got.post(url, { body, headers, timeout, retry: { limit: 3, methods: ["POST"] } })).statusCode);
