import type { JudgedResponse } from "../judged-response.ts";
import { Unjudgeable } from "../judged-response.ts";
import { acceptedWithout, describeAccepted } from "../request/accepted-words.ts";
import type { Evaluation } from "../verification.ts";
import { notInDocument, sentIsUnknown, skipped } from "./conformance.ts";

function judgeStatus(passed: boolean, expected: string, { response }: JudgedResponse): Evaluation {
  return {
    outcome: passed ? "passed" : "failed",
    message: `Expected ${expected}, got ${response.status}.`,
    actual: response.status,
  };
}

function isBetween(status: number, from: number, to: number): boolean {
  return status >= from && status <= to;
}

export function checkNoServerError(judged: JudgedResponse): Evaluation {
  return judgeStatus(judged.response.status < 500, "a status below 500", judged);
}

/** For requests that are invalid on purpose. A failure says what of the request breaks the document. */
export function checkNegativeRejection(judged: JudgedResponse): Evaluation {
  const passed = isBetween(judged.response.status, 400, 499);
  const evaluation = judgeStatus(passed, "the request to be refused with a status from 400 to 499", judged);
  const message = passed ? undefined : describeAccepted(judged);
  return message === undefined ? evaluation : { ...evaluation, message };
}

/** For requests that are meant to be valid. */
export function checkPositiveAcceptance(judged: JudgedResponse): Evaluation {
  const passed = isBetween(judged.response.status, 200, 299);
  return judgeStatus(passed, "the request to be accepted with a status from 200 to 299", judged);
}

/** Headers that OpenAPI describes in other parts of the document (Parameter Object, `name`). */
const describedElsewhere = new Set(["accept", "content-type", "authorization"]);

/** A request without a documented required header must be refused. */
export function checkRequiredHeader(judged: JudgedResponse): Evaluation {
  if (!judged.operation) return skipped(notInDocument);
  if (!judged.input.request) return skipped(sentIsUnknown);
  const sent = new Set(judged.input.request.headers.map(([name]) => name.toLowerCase()));
  const missing = judged.operation.operation.parameters
    .filter((parameter) => parameter.in === "header" && parameter.required)
    .map((parameter) => parameter.name)
    .filter((name) => !describedElsewhere.has(name.toLowerCase()) && !sent.has(name.toLowerCase()));
  if (missing.length === 0) return skipped("Every required header was sent.");
  const passed = isBetween(judged.response.status, 400, 499);
  const expected = `a status from 400 to 499, since the required header ${missing.join(", ")} was not sent`;
  return { ...judgeStatus(passed, expected, judged), target: missing };
}

/** A method that is not documented for the path must be refused as in RFC 9110, 15.5.6: 405 with Allow. */
export function checkUnsupportedMethod(judged: JudgedResponse): Evaluation {
  if (!judged.input.request) return skipped(sentIsUnknown);
  const method = judged.input.request.method.toUpperCase();
  if (judged.operation) return skipped(`${method} is documented for this path.`);
  const expected = `405, since ${method} is not documented for this path`;
  const answered = judgeStatus(judged.response.status === 405, expected, judged);
  if (answered.outcome === "failed" || judged.headers("allow").length > 0) return answered;
  return { ...answered, outcome: "failed", message: "Expected 405 with the header Allow, got 405 without it." };
}

/** An operation that requires credentials must refuse a request without them. */
export function checkIgnoredAuthorization(judged: JudgedResponse): Evaluation {
  if (!judged.operation) return skipped(notInDocument);
  const { security } = judged.operation.operation;
  if (security.length === 0 || security.some((alternative) => alternative.length === 0)) {
    return skipped("The operation requires no credentials.");
  }
  if (!judged.input.request) return skipped(sentIsUnknown);
  if (judged.input.authorized) return skipped("The request carried credentials.");
  const { status } = judged.response;
  const evaluation = judgeStatus(
    status === 401 || status === 403,
    "401 or 403, since no credentials were sent",
    judged,
  );
  return isBetween(status, 200, 299) ? { ...evaluation, message: acceptedWithout(judged) } : evaluation;
}

export function checkResponseTime(judged: JudgedResponse): Evaluation {
  const maximum = judged.input.maximumResponseMilliseconds;
  if (maximum === undefined)
    throw new Unjudgeable("invalid_assertion", "The test does not set a maximum response time.");
  const actual = judged.milliseconds;
  if (judged.response.incomplete && actual <= maximum)
    throw new Unjudgeable("body_incomplete", "The response is incomplete, so its whole time is not known.");
  return {
    outcome: actual <= maximum ? "passed" : "failed",
    message: `Expected a response within ${maximum} ms, it took ${actual} ms.`,
    target: maximum,
    actual,
  };
}
