import { isSecretHeader } from "../redaction/secret-signs.ts";
import { EgressError } from "./failure.ts";
import { type OutboundRequest, type PreparedRequest, parseTarget } from "./outbound-request.ts";
import type { Phases } from "./phases.ts";

/** A redirect that was followed. The final response is not one of them. */
export interface Hop {
  url: string;
  method: string;
  status: number;
  location?: string;
  phases: Phases;
}

export const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** The fetch standard's request-body headers, dropped together with the body. */
const bodyHeaders = new Set(["content-encoding", "content-language", "content-location", "content-type"]);

/** The target of a redirect response; undefined for other responses. */
export function findLocation(status: number, headers: readonly [string, string][]): string | undefined {
  if (!redirectStatuses.has(status)) return undefined;
  return headers.find(([name]) => name.length === 8 && name.toLowerCase() === "location")?.[1];
}

/**
 * Decides which headers and certificates are sent to which hop. Dropped secrets stay dropped, also when a later hop
 * returns to their origin.
 */
export class SecretHeaders {
  readonly #request: OutboundRequest;
  #listed: ReadonlySet<string> | undefined;
  #leftOrigin = false;

  constructor(request: OutboundRequest) {
    this.#request = request;
  }

  /** Lower case. Created lazily: most requests are neither redirected nor bound. */
  get #names(): ReadonlySet<string> {
    this.#listed ??= new Set(this.#request.secretHeaderNames?.map((name) => name.toLowerCase()));
    return this.#listed;
  }

  /** The first request to send: without secrets that are bound to another origin. */
  restrict(request: PreparedRequest): PreparedRequest {
    const bound = this.#request.sendSecretsTo;
    if (bound === undefined || parseOrigin(bound) === request.url.origin) return request;
    return this.#withoutSecrets(request);
  }

  /**
   * The request to the redirect's target, by the fetch standard: 303, and 301 and 302 after POST, become GET without a
   * body.
   * @throws EgressError with `redirect_not_allowed` for anything but http and https, or for a secret sent on without
   * TLS
   */
  follow(request: PreparedRequest, status: number, location: string): PreparedRequest {
    const url = parseLocation(location, request.url);
    if (request.url.protocol === "https:" && url.protocol === "http:" && this.#carriesSecrets(request)) {
      throw redirectNotAllowed("The server redirects from https to http, and the request carries a secret.");
    }
    const moved = { ...(becomesGet(request.method, status) ? withoutBody(request) : request), url };
    return url.origin === request.url.origin ? moved : this.#withoutSecrets(moved);
  }

  /** Connection options of this hop: a client certificate is sent to the secrets' origin only. */
  chooseConnection({ url }: PreparedRequest): Pick<OutboundRequest, "tls"> {
    const { tls, sendSecretsTo, url: first } = this.#request;
    if (!tls?.client) return { tls };
    if (parseOrigin(sendSecretsTo ?? first) !== url.origin) this.#leftOrigin = true;
    return { tls: this.#leftOrigin ? { ca: tls.ca } : tls };
  }

  #isSecret([name, value]: PreparedRequest["headers"][number]): boolean {
    return this.#names.has(name.toLowerCase()) || isSecretHeader(name, value);
  }

  #carriesSecrets({ headers }: PreparedRequest): boolean {
    return headers.some((header) => this.#isSecret(header));
  }

  #withoutSecrets(request: PreparedRequest): PreparedRequest {
    return { ...request, headers: request.headers.filter((header) => !this.#isSecret(header)) };
  }
}

function parseOrigin(text: string): string {
  try {
    return new URL(text).origin;
  } catch {
    // Not a valid origin: the secrets are never sent.
    return "";
  }
}

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function withoutBody(request: PreparedRequest): PreparedRequest {
  return {
    ...request,
    method: "GET",
    body: undefined,
    headers: request.headers.filter(([name]) => !bodyHeaders.has(name.toLowerCase())),
  };
}

/** Header bytes are decoded as Latin-1; a Location beyond ASCII is UTF-8 in practice. */
function parseLocation(location: string, base: URL): URL {
  try {
    return parseTarget(Buffer.from(location, "latin1").toString("utf8"), base);
  } catch (error) {
    const reason = error instanceof EgressError ? error.failure.detail : "";
    throw redirectNotAllowed(`The server redirects to a Location that is not followed. ${reason}`.trimEnd());
  }
}

export function redirectNotAllowed(detail: string): EgressError {
  return new EgressError({ code: "redirect_not_allowed", detail });
}

export function tooManyRedirects(limit: number): EgressError {
  return new EgressError({
    code: "too_many_redirects",
    detail: `The server redirected more than ${limit} times. The last Location is in the hops.`,
  });
}
