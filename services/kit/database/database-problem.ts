import type { Logger } from "pino";
import { Problem } from "#contracts/kit/problem.ts";

/** Network error codes. */
const lost = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);
const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
/** PostgreSQL's SQLSTATEs: starting or shutting down, too many connections, out of memory. */
const refused = new Set(["57P03", "53300"]);
const readOnly = "25006";
const ended = new Set(["57P01", "57P02", "57P04", "57P05", "53200", readOnly]);
/** node-postgres sets no code for these. */
const lostWords =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable)/;
const unreachedWords =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout)/;

const full = new Set(["53100", "ENOSPC"]);
const retryAfterSeconds = 5;

/** The disk is full, here or on the database server. */
export function storageIsFull(): Problem {
  return new Problem(
    "insufficient_storage",
    "The portal's disk is full, so nothing was stored. Existing data is safe and can be read. The operator has to free up space.",
    { retryAfterSeconds: 60 },
  );
}

/** Whether the database is read-only: its disk is full, or it is a standby. */
export function refusesToWrite(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: string };
  return code !== undefined && (full.has(code) || code === readOnly);
}

/**
 * The caller's problem for a failed statement; undefined when the statement itself was refused.
 * @param options.onlyReads whether the call changes nothing
 */
export function databaseProblem(error: unknown, options = { onlyReads: false }): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const code = String((error as { code?: unknown }).code ?? "");
  if (full.has(code)) return storageIsFull();
  const neverReached = unreachable.has(code) || refused.has(code) || unreachedWords.test(message);
  if (!neverReached && !lost.has(code) && !ended.has(code) && !/^08/.test(code) && !lostWords.test(message))
    return undefined;
  const outcome =
    neverReached || options.onlyReads
      ? "Nothing was changed. Try again shortly."
      : "It is unknown whether the change was made: reload the page, and check before you try again.";
  return new Problem("service_unavailable", `The portal's database does not respond. ${outcome}`, {
    retryAfterSeconds,
  });
}

/**
 * Logs a failure in the background. The database reports its own absence once, so such failures are not logged each
 * time.
 */
export function logFailure(log: Logger, error: unknown, failure: string, fields: object = {}): void {
  if (!databaseProblem(error)) log.warn({ err: error, ...fields }, failure);
}
