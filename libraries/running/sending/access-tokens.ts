import { createHash } from "node:crypto";
import { Cache } from "../../cache/cache.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Egress, InboundResponse } from "../../egress/egress.ts";
import type { OpenedCredential } from "../authorization.ts";
import { writeTokenRequest } from "../token-request.ts";
import { Unsendable } from "../unsendable.ts";

/** Access tokens of OAuth 2.0 clients, cached while valid: a run of a thousand tests requests one. */
export interface AccessTokens {
  /** @throws Unsendable when the token URL returns none */
  require(organizationId: string, credential: OpenedCredential): Promise<string>;
  /** A token other than the one that an API refused; many refusals of one token request one new one. */
  renew(organizationId: string, credential: OpenedCredential, refused: string): Promise<string>;
}

const timeoutMilliseconds = 10_000;
const mostTokens = 1_000;
const mostAnswerBytes = 65_536;
/** A token is replaced this long before it expires, so that none expires in transit. */
const marginSeconds = 15;
/** For servers that do not state a lifetime: few have less. */
const assumedSeconds = 300;
const longestSeconds = 86_400;

const sendable = /^[\x21-\x7e]{1,16384}$/;
/** RFC 6749, 5.2. Other values from a server may contain anything. */
const knownErrors = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
];

interface Kept {
  token: string;
  until: number;
}

export function createAccessTokens({ egress, clock }: { egress: Egress; clock: Clock }): AccessTokens {
  const kept = new Cache<Promise<Kept>>({ maxSize: mostTokens });

  async function ask(organizationId: string, credential: OpenedCredential): Promise<Kept> {
    const request = writeTokenRequest(credential);
    const result = await egress.send({
      ...request,
      method: "POST",
      timeoutMilliseconds,
      // The secret may be in the body, which a redirect would forward.
      maxRedirects: 0,
      maxBodyBytes: mostAnswerBytes,
      sendSecretsTo: new URL(request.url).origin,
      pool: organizationId,
    });
    const fail = (detail: string): never => {
      const host = new URL(request.url).host;
      const sentence = `No access token for the credential ${credential.name}: ${host} ${detail}`;
      throw new Unsendable("access_token_missing", sentence, credential.id);
    };
    if (result.outcome === "failed") return fail(`could not be asked. ${result.failure.detail}`);
    const { token, type, seconds } = readAnswer(result.response, fail);
    if (type.toLowerCase() !== "bearer") return fail("gives tokens that are no bearer tokens.");
    const lasts = Math.min(seconds ?? assumedSeconds, longestSeconds) - marginSeconds;
    return { token, until: clock.now().getTime() + lasts * 1_000 };
  }

  function askOnce(key: string, organizationId: string, credential: OpenedCredential): Promise<Kept> {
    const asked = ask(organizationId, credential);
    kept.set(key, asked);
    asked.catch(() => {
      if (kept.get(key) === asked) kept.delete(key);
    });
    return asked;
  }

  async function find(organizationId: string, credential: OpenedCredential, refused?: string): Promise<string> {
    const key = keyOf(organizationId, credential);
    const known = kept.get(key);
    const good = await known;
    if (good && good.token !== refused && good.until > clock.now().getTime()) return good.token;
    // A concurrent caller may have requested one already.
    const asked = kept.get(key);
    const next = asked && asked !== known ? asked : askOnce(key, organizationId, credential);
    return (await next).token;
  }

  return {
    require: (organizationId, credential) => find(organizationId, credential),
    renew: (organizationId, credential, refused) => find(organizationId, credential, refused),
  };
}

/** With another secret or other settings it is another client, so that a replaced secret takes effect at once. */
function keyOf(organizationId: string, { id, settings, secret }: OpenedCredential): string {
  const text = JSON.stringify([organizationId, id, settings, secret]);
  return createHash("sha256").update(text).digest("base64url");
}

function readAnswer(response: InboundResponse, fail: (detail: string) => never) {
  const json = parseJson(Buffer.from(response.body).toString("utf8"));
  if (response.status !== 200) {
    const error = knownErrors.find((known) => known === json.error);
    return fail(`answered ${response.status}${error ? ` (${error})` : ""}.`);
  }
  const { access_token: token, token_type: type = "bearer", expires_in: lifetime } = json;
  if (typeof token !== "string" || !sendable.test(token) || typeof type !== "string")
    return fail("returned none that can be sent.");
  // Some servers send it as text.
  const seconds = Number(lifetime ?? Number.NaN);
  return { token, type, seconds: Number.isFinite(seconds) ? seconds : undefined };
}

/** The object that the text is, or an empty one. */
function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
