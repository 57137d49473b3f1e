// Makes the calls of one vector with the rendered loop beside it (protocol: idempact.vectors.client).
import { ApiError, KeyReused, OutcomeUnknown, send } from "./retry-loop.js";

const variables = process.env;
const calls = Number(variables.VECTOR_CALLS ?? 1);
const cancelMs = variables.VECTOR_CANCEL_MS;

async function call(key: string | undefined): Promise<void> {
  const report: { ok: boolean; kind: string; status: number | null; elapsed_ms?: number } = { ok: false, kind: "", status: null };
  const firstSent = variables.VECTOR_FIRST_SENT && new Date(variables.VECTOR_FIRST_SENT);
  const signal = cancelMs && AbortSignal.timeout(Number(cancelMs));
  const start = performance.now();
  try {
    const options = { key, ...(firstSent && { firstSent }), ...(signal && { signal }) };
    const answer = await send(variables.VECTOR_URL!, JSON.parse(variables.VECTOR_BODY!), options);
    Object.assign(report, { ok: true, kind: "success", status: answer.status });
  } catch (error) {
    if (error instanceof KeyReused) Object.assign(report, { kind: "mismatch", status: error.answer.status });
    else if (error instanceof ApiError) Object.assign(report, { kind: "refused", status: error.answer.status });
    else if (error instanceof OutcomeUnknown) Object.assign(report, { kind: "unknown", status: error.answer?.status ?? null });
    else if (signal && signal.aborted) report.kind = "cancelled";
    else report.kind = error instanceof TypeError ? "not-sent" : String(error);
  }
  report.elapsed_ms = Math.round(performance.now() - start);
  console.log(JSON.stringify(report));
}

if (variables.VECTOR_WARM_URL) await (await fetch(variables.VECTOR_WARM_URL)).text();
const keys = Array.from({ length: calls }, (_, n) => (calls === 1 ? variables.VECTOR_KEY : variables.VECTOR_KEY && `${variables.VECTOR_KEY}-${n + 1}`));
if (variables.VECTOR_AT_ONCE) await Promise.all(keys.map(call));
else for (const key of keys) await call(key);
process.exit(); // an unanswered connect would keep the process for another ten seconds
