import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { KnownDrift } from "./measured-server.ts";

/**
 * What an execution tells its team. `meaningful`: a pass that could have failed, or a failure with a true reason;
 * `useless`: a pass that nothing could have failed, a valid request that the suite got wrong, or an error; `notRun`.
 * `notNeeded`: it would have removed what was never made.
 */
export type Worth = "meaningful" | "useless" | "notRun" | "notNeeded";

export interface JudgedExecution {
  worth: Worth;
  /** One sentence for a person who doubts it; "" for a plain pass. */
  why: string;
}

export interface Executed {
  /** For example `get /todos/{id}`. */
  operation: string;
  verdict: Verdict | null;
  statusCode: number | null;
  reason: string | null;
  /** Bytes of the response's body. */
  bodyBytes: number;
  verifications: Verification[];
}

/** A status by which a server says that the request was wrong. */
const refusals = [400, 401, 403, 404, 406, 409, 415, 422];

/** Of an execution that was never sent. */
const lacksValue = /\}\} has no value/;
const nothingToRemove = /^Nothing to remove: /;

/** Whether more than the status was judged, where there was more. */
function couldFail({ verifications, bodyBytes }: Executed): boolean {
  const judged = verifications.filter(({ outcome }) => outcome === "passed");
  return (
    bodyBytes === 0 ||
    judged.some(({ source }) => !["statusCode", "not_a_server_error", "status_code_conformance"].includes(source))
  );
}

const refusing = new Set(["negative_data_rejection", "ignored_auth"]);

/** Whether the test asks for such a status and for no success, as after a deletion or of an invalid request. */
function wantsRefusal({ verifications }: Executed): boolean {
  if (verifications.some(({ source }) => refusing.has(source))) return true;
  const status = verifications.find(({ kind, source }) => kind === "assertion" && source === "statusCode");
  return status !== undefined && [status.target].flat().every((target) => Number(target) >= 400);
}

export function judgeExecution(executed: Executed, drifts: KnownDrift[] = []): JudgedExecution {
  const { verdict, statusCode, operation } = executed;
  const reason = executed.reason ?? "";
  const isRefused = statusCode !== null && refusals.includes(statusCode);
  if (verdict === "skipped" && nothingToRemove.test(reason)) return { worth: "notNeeded", why: "" };
  if (verdict === null || verdict === "blocked" || verdict === "skipped")
    return { worth: "notRun", why: reason || "has not ended" };
  if (verdict === "passed" || verdict === "flaky") {
    if (isRefused && wantsRefusal(executed)) return { worth: "meaningful", why: "" };
    if (isRefused) return { worth: "useless", why: `passed with ${statusCode}` };
    if (!couldFail(executed)) return { worth: "useless", why: "passed, but only its status was judged" };
    return { worth: "meaningful", why: "" };
  }
  if (verdict === "errored") return { worth: lacksValue.test(reason) ? "notRun" : "useless", why: reason };
  const drift = drifts.find((one) => one.operation === operation && one.reason.test(reason));
  if (drift) return { worth: "meaningful", why: `known drift, ${drift.words}: ${reason}` };
  if (isRefused && !wantsRefusal(executed)) return { worth: "useless", why: `refused with ${statusCode}: ${reason}` };
  return { worth: "meaningful", why: reason };
}
