// Makes one call with the rendered loop beside it, for the vectors (protocol: idempact.vectors.client).
import { ApiError, KeyReused, OutcomeUnknown, send } from "./retry-loop.js";

const variables = process.env;
if (variables.VECTOR_WARM_URL) await (await fetch(variables.VECTOR_WARM_URL)).text();
const report: { ok: boolean; kind: string; status: number | null; elapsed_ms?: number } = { ok: false, kind: "", status: null };
const start = performance.now();
try {
  const answer = await send(variables.VECTOR_URL!, JSON.parse(variables.VECTOR_BODY!), { key: variables.VECTOR_KEY });
  Object.assign(report, { ok: true, kind: "success", status: answer.status });
} catch (error) {
  if (error instanceof KeyReused) Object.assign(report, { kind: "mismatch", status: error.answer.status });
  else if (error instanceof ApiError) Object.assign(report, { kind: "refused", status: error.answer.status });
  else if (error instanceof OutcomeUnknown) Object.assign(report, { kind: "unknown", status: error.answer?.status ?? null });
  else report.kind = error instanceof TypeError ? "not-sent" : String(error);
}
report.elapsed_ms = Math.round(performance.now() - start);
console.log(JSON.stringify(report));
process.exit(); // an unanswered connect would keep the process for another ten seconds
