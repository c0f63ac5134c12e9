import type { Context } from "hono";
import { routePath } from "hono/route";
import type { Logger } from "pino";
import { changesNothing, type Endpoint } from "#contracts/kit/endpoint.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { databaseProblem } from "../database/database-problem.ts";
import type { Identity } from "../identity/identity.ts";
import { problemResponse } from "../problem/problem-response.ts";
import { findUndocumentedProblem, validatesResponses } from "./contract-check.ts";
import { nulProblem } from "./malformed-text.ts";

/** PostgreSQL's refusal of U+0000 in text and in jsonb: the input is invalid. */
const unstorableText = new Set(["22021", "22P05"]);

interface Failing {
  name: string;
  log: Logger;
}

/** The variables of each call. */
export interface CallEnvironment {
  Variables: { requestId: string; caller: Identity; endpoint: [string, Endpoint] };
}

/** Logs refused public forms, which would otherwise go unnoticed. Names of fields, never their values. */
function logRefusal(
  { name, log }: Failing,
  problem: Problem,
  requestId: string,
  called: [string, Endpoint] | undefined,
) {
  if (!called) return;
  const [endpoint, { access, method }] = called;
  if (access !== "public" || method !== "post") return;
  const fields = problem.extras.errors?.map(({ path }) => path);
  log.info({ requestId, service: name, endpoint, code: problem.code, fields }, "a public form was refused");
}

/** The response to a call that threw: its problem, an error that the sender can correct, or `internal_error`. */
export async function toFailureResponse(
  service: Failing,
  thrown: Error,
  c: Context<CallEnvironment>,
): Promise<Response> {
  const { name, log } = service;
  const requestId = c.get("requestId");
  const error = validatesResponses ? orViolation(thrown, c.get("endpoint")) : thrown;
  if (error instanceof Problem) {
    logRefusal(service, error, requestId, c.get("endpoint"));
    return problemResponse(error, requestId);
  }
  if ("status" in error && error.status === 400) {
    return problemResponse(new Problem("malformed_request", "The body is not valid JSON."), requestId);
  }
  if ("status" in error && error.status === 415) {
    return problemResponse(new Problem("unsupported_media_type", "Send application/json."), requestId);
  }
  if ("code" in error && unstorableText.has(String(error.code))) {
    return problemResponse(nulProblem(await c.req.bodyCache.text), requestId);
  }
  const [, endpoint] = c.get("endpoint") ?? [];
  const problem = databaseProblem(error, { onlyReads: endpoint !== undefined && changesNothing(endpoint) });
  if (problem) {
    log.warn(
      { requestId, service: name, code: problem.code, reason: error.message },
      "a request failed because of the database",
    );
    return problemResponse(new Problem(problem.code, problem.detail, { ...problem.extras, service: name }), requestId);
  }
  // The route and not the path, which may contain a token.
  log.error({ err: error, requestId, service: name, path: routePath(c, -1) }, "request failed");
  return problemResponse(new Problem("internal_error"), requestId);
}

/** In development and tests: the breach, when the contract does not document the thrown problem. */
function orViolation(thrown: Error, called: [string, Endpoint] | undefined): Error {
  if (!(thrown instanceof Problem) || !called) return thrown;
  return findUndocumentedProblem(...called, thrown) ?? thrown;
}
