import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt, Cause, ReceivedResponse, SentRequest } from "#contracts/test-executioner/attempts.ts";
import type { Redactor } from "../../redaction/redactor.ts";

/**
 * Request and response without the secrets in them. Only named parts are redacted: otherwise a secret of a few letters
 * would rewrite the names of parts, verdicts and the product's own sentences.
 */
function redactSent(sent: SentRequest, { text }: Redactor): SentRequest {
  const { url, headers, body, files } = sent;
  return {
    ...sent,
    url: text(url),
    headers: redactHeaders(headers, text),
    body: body === null ? null : text(body),
    ...(files ? { files: files.map((file) => ({ ...file, name: text(file.name) })) } : {}),
  };
}

function redactReceived(received: ReceivedResponse, { text }: Redactor): ReceivedResponse {
  const { url, statusText, headers, body, bodyPreview, redirects } = received;
  return {
    ...received,
    url: text(url),
    statusText: text(statusText),
    headers: redactHeaders(headers, text),
    body: body === null ? null : text(body),
    ...(bodyPreview === undefined ? {} : { bodyPreview: text(bodyPreview) }),
    redirects: redirects.map(({ url: from, status, location }) => ({
      url: text(from),
      status,
      ...(location === undefined ? {} : { location: text(location) }),
    })),
  };
}

function redactHeaders(headers: SentRequest["headers"], text: Redactor["text"]): SentRequest["headers"] {
  return headers.map(([name, value]) => [text(name), text(value)]);
}

/** A cause is one of the product's own sentences; it should contain no secret, and no long one is in it. */
function redactCause(cause: Cause, { sentence }: Redactor): Cause {
  return { ...cause, detail: sentence(cause.detail) };
}

export function redactAttempt<One extends Pick<Attempt, "request" | "response" | "cause">>(
  attempt: One,
  redactor: Redactor,
): One {
  const { request, response, cause } = attempt;
  return {
    ...attempt,
    request: request && redactSent(request, redactor),
    response: response && redactReceived(response, redactor),
    ...(cause ? { cause: redactCause(cause, redactor) } : {}),
  };
}

/** A second safeguard: judging itself hides the secrets that it is given. */
export function redactVerification(verification: Verification, { sentence }: Redactor): Verification {
  const hide = (value: unknown): unknown => {
    if (typeof value === "string") return sentence(value);
    if (typeof value === "number") return sentence(String(value)) === String(value) ? value : sentence(String(value));
    if (Array.isArray(value)) return value.map(hide);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [sentence(name), hide(member)]));
  };
  // A text with a secret would not be JSON without it; the value beside it remains.
  const withoutSecret = (json: string | undefined) =>
    json === undefined || sentence(json) === json ? json : undefined;
  const { property, target, targetJson, actual, actualJson, message, pointer, schemaErrors } = verification;
  return {
    ...verification,
    ...(property === undefined ? {} : { property: sentence(property) }),
    ...(target === undefined ? {} : { target: hide(target) }),
    ...(targetJson === undefined ? {} : { targetJson: withoutSecret(targetJson) }),
    ...(actual === undefined ? {} : { actual: hide(actual) }),
    ...(actualJson === undefined ? {} : { actualJson: withoutSecret(actualJson) }),
    ...(pointer === undefined ? {} : { pointer: sentence(pointer) }),
    ...(schemaErrors === undefined
      ? {}
      : {
          schemaErrors: schemaErrors.map((error) => ({
            ...error,
            pointer: sentence(error.pointer),
            message: sentence(error.message),
            ...("expected" in error ? { expected: hide(error.expected) } : {}),
            ...("actual" in error ? { actual: hide(error.actual) } : {}),
          })),
        }),
    message: sentence(message),
  };
}
