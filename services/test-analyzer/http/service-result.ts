import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { CallResult } from "../../kit/client/client.ts";

/** The value from another service; a refusal is rethrown as a problem of this service. */
export function requireFromService<Value>(answer: CallResult<Value>): Value {
  if (answer.ok) return answer.value;
  if (answer.status === 404) throw notFound("API");
  const { code, detail, errors, service } = answer.problem;
  throw new Problem(code, detail, { ...(errors ? { errors } : {}), ...(service ? { service } : {}) });
}
