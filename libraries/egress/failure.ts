import { errors } from "undici";
import type { Phases } from "./phases.ts";

export type EgressFailureCode =
  | "target_not_allowed"
  | "invalid_url"
  | "invalid_header"
  | "dns_failed"
  | "connection_refused"
  | "connection_failed"
  | "connection_reset"
  | "tls_failed"
  | "timeout"
  | "too_many_redirects"
  | "redirect_not_allowed"
  | "body_encoding_failed"
  | "protocol_error"
  | "cancelled";

export interface EgressFailure {
  code: EgressFailureCode;
  /** An actionable sentence. Never contains a header value or a body. */
  detail: string;
  /** The phase in which it failed. Absent when nothing was sent, and always for `target_not_allowed`. */
  phase?: keyof Phases;
  phases?: Phases;
}

/** Carries a failure through callbacks and promises within egress; it never leaves `send`. */
export class EgressError extends Error {
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** The same result for every blocked target: text, timing and phases must not distinguish internal addresses (S09). */
export function targetNotAllowed(): EgressFailure {
  return {
    code: "target_not_allowed",
    detail: "This address is not one the portal may send requests to. An operator can allow it with EGRESS_ALLOW.",
  };
}

const closedEarly: EgressFailure = {
  code: "connection_reset",
  detail: "The server closed the connection before the response was complete.",
};

const networkFailures: Record<string, EgressFailure> = {
  ECONNREFUSED: {
    code: "connection_refused",
    detail: "The connection was refused. Check that the API is running at this host and port.",
  },
  EHOSTUNREACH: { code: "connection_failed", detail: "The host can't be reached from the portal's network." },
  ENETUNREACH: { code: "connection_failed", detail: "There is no route to this host from the portal's network." },
  ETIMEDOUT: { code: "connection_failed", detail: "The host did not respond, and the connection timed out." },
  ECONNRESET: { code: "connection_reset", detail: "The connection was reset before the response was complete." },
  EPIPE: { code: "connection_reset", detail: "The connection was closed while the request was being sent." },
  UND_ERR_HEADERS_OVERFLOW: {
    code: "protocol_error",
    detail: "The response headers are larger than 64 KiB.",
  },
  // Reported for a body that ended with its connection; before the head, see `describeNetworkError`.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closedEarly,
};

const streamReset: EgressFailure = {
  code: "connection_reset",
  detail: "The server reset the HTTP/2 stream before the response was complete.",
};

const plainHttp2: EgressFailure = {
  code: "protocol_error",
  detail: "The server did not respond in HTTP/1.1. Without TLS, HTTP/2 is not supported.",
};

/** Whether the bytes begin with a SETTINGS frame, as every HTTP/2 server's do (RFC 9113, 3.4). */
function isHttp2Frame(data: unknown): boolean {
  return typeof data === "string" && data.startsWith("\0\0") && data[3] === "\x04";
}

/** Maps an error of the network, undici's parser or egress itself to a failure. */
export function describeNetworkError(error: unknown, hasHead = false): EgressFailure {
  if (error instanceof EgressError) return error.failure;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  // undici reports any invalid head so when it has already read a Content-Length.
  if (isLengthMismatch(error) && !hasHead) return invalidResponse();
  const known = networkFailures[code];
  if (known !== undefined) return { ...known };
  const streamCode = /^Stream closed with error code NGHTTP2_(\w+)/.exec(message)?.[1];
  if (streamCode) return { ...streamReset, detail: `The server reset the HTTP/2 stream (${streamCode}).` };
  if (code === "UND_ERR_INFO" && message.startsWith("HTTP/2: ")) return { ...streamReset };
  if (code.startsWith("ERR_HTTP2_")) {
    return { code: "protocol_error", detail: `The response is not valid HTTP/2: ${message}.` };
  }
  if (error instanceof errors.HTTPParserError) {
    const reason = /\((.+)\)$/.exec(message)?.[1];
    if (isHttp2Frame("data" in error ? error.data : undefined)) return { ...plainHttp2 };
    return reason === "Invalid EOF state" ? { ...closedEarly } : invalidResponse(reason);
  }
  // undici asserts on responses that its parser accepts: a status below 100.
  if (code === "ERR_ASSERTION" && message.includes("statusCode")) {
    return invalidResponse("its status code is below 100");
  }
  if (code === "UND_ERR_SOCKET" && message.startsWith("bad ")) {
    return {
      code: "protocol_error",
      detail:
        "The server sent something that is not a response to this request (an unasked-for upgrade, 100, or early bytes).",
    };
  }
  if (code === "UND_ERR_SOCKET") return { ...closedEarly };
  if (code.startsWith("UND_ERR_")) return { code: "protocol_error", detail: `The request failed: ${message}.` };
  return { code: "connection_failed", detail: `The connection failed${code === "" ? "" : ` (${code})`}.` };
}

function invalidResponse(reason?: string): EgressFailure {
  const detail = `The response is not valid HTTP/1.1${reason === undefined ? "" : `: ${reason}`}.`;
  return { code: "protocol_error", detail };
}

/** Whether undici counted fewer or more bytes of a body than its Content-Length. */
export function isLengthMismatch(error: unknown): boolean {
  return errorCode(error) === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
}

const certificateReasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is self-signed, so the portal does not trust it.",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate chain ends in a root the portal does not trust.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "The certificate's issuer is unknown: the root is not trusted or the chain incomplete.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate's issuer is unknown: the server may not send its intermediates.",
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet.",
  CERT_REVOKED: "The server's certificate has been revoked.",
  CERT_CHAIN_TOO_LONG: "The server's certificate chain is too long.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another host name.",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "The server does not offer TLS 1.2 or newer.",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "The server does not offer TLS 1.2 or newer.",
  ERR_SSL_WRONG_VERSION_NUMBER: "The server does not speak TLS on this port. Did you mean http?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "The server does not speak TLS on this port. Did you mean http?",
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: "The server speaks neither HTTP/2 nor HTTP/1.1 on this port.",
  ERR_SSL_NO_APPLICATION_PROTOCOL: "The server speaks neither HTTP/2 nor HTTP/1.1 on this port.",
  ECONNRESET: "The connection was closed during the TLS handshake.",
};

/** Maps a failed TLS handshake. Nothing of the request has been sent at that point. */
export function describeTlsError(error: unknown): EgressFailure {
  const code = errorCode(error);
  const reason = certificateReasons[code] ?? `The TLS handshake failed${code === "" ? "" : ` (${code})`}.`;
  return { code: "tls_failed", detail: reason, phase: "tls" };
}

export function errorCode(error: unknown): string {
  if (error === null || typeof error !== "object" || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
