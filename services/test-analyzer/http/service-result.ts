import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { CallResult } from "../../kit/client/client.ts";

/** The value from another service; a refusal is rethrown as a problem of this service. */
export function requireFromService<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  if (result.status === 404) throw notFound("API");
  const { code, detail, errors, service } = result.problem;
  throw new Problem(code, detail, { ...(errors ? { errors } : {}), ...(service ? { service } : {}) });
}
