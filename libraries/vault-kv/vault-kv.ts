import { createHash } from "node:crypto";
import { Cache } from "../cache/cache.ts";
import type { Egress, InboundResponse } from "../egress/egress.ts";

/** How to reach a KV secrets engine, version 2. */
export interface VaultSource {
  /** Without a slash at its end. */
  address: string;
  /** Empty without one. */
  namespace: string;
  mount: string;
  authentication: { kind: "token"; token: string } | { kind: "appRole"; roleId: string; secretId: string };
  /** Requests of different pools share no connection. */
  pool: string;
}

export type SecretResult = { ok: true; value: string } | { ok: false; detail: string };

export interface VaultReader {
  /** The current version's value. Never throws for anything that Vault or the address does. */
  read(source: VaultSource, wanted: { path: string; key: string }): Promise<SecretResult>;
}

const timeoutMilliseconds = 5_000;
const maxResponseBytes = 1_048_576;
/** Short, so that a rotated or withdrawn secret is seen soon; the tests of one run share a read. */
const cachedMilliseconds = 5_000;
const maxCached = 500;
/** An AppRole's token is replaced this long before its lease ends. */
const marginMilliseconds = 15_000;
const longestLeaseMilliseconds = 3_600_000;

const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

type Member = Record<string, unknown>;
const isObject = (value: unknown): value is Member => typeof value === "object" && value !== null;
const member = (value: unknown, ...names: string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

function parseBody({ body }: InboundResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}

interface Login {
  token: string;
  until: number;
}

/** Reads secrets from Vault through the egress door, and keeps them in memory for seconds. */
export function createVaultReader({
  egress,
  cacheMilliseconds = cachedMilliseconds,
}: {
  egress: Egress;
  cacheMilliseconds?: number;
}): VaultReader {
  const secrets = new Cache<Promise<Fetched>>({ maxSize: maxCached, maxAgeMilliseconds: cacheMilliseconds });
  const logins = new Cache<Promise<Login | Refused>>({ maxSize: maxCached });

  async function send(
    { address, namespace, pool }: VaultSource,
    request: { method: string; path: string; token?: string; body?: object },
  ) {
    return await egress.send({
      url: `${address}/v1/${request.path}`,
      method: request.method,
      headers: [
        ["accept", "application/json"],
        ["x-vault-request", "true"],
        ...(namespace ? [["x-vault-namespace", namespace] as [string, string]] : []),
        ...(request.token ? [["x-vault-token", request.token] as [string, string]] : []),
        ...(request.body ? [["content-type", "application/json"] as [string, string]] : []),
      ],
      body: request.body && JSON.stringify(request.body),
      timeoutMilliseconds,
      maxRedirects: 0,
      maxBodyBytes: maxResponseBytes,
      secretHeaderNames: ["x-vault-token"],
      sendSecretsTo: new URL(address).origin,
      pool,
    });
  }

  async function logIn(source: VaultSource, roleId: string, secretId: string): Promise<Login | Refused> {
    const body = { role_id: roleId, secret_id: secretId };
    const result = await send(source, { method: "POST", path: "auth/approle/login", body });
    const host = new URL(source.address).host;
    if (result.outcome === "failed") return { detail: `${host} can't be asked. ${result.failure.detail}` };
    const { status } = result.response;
    const json = parseBody(result.response);
    const token = member(json, "auth", "client_token");
    if (status === 200 && typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) {
      const seconds = Number(member(json, "auth", "lease_duration")) || 60;
      const lease = Math.min(seconds * 1_000, longestLeaseMilliseconds);
      return { token, until: Date.now() + Math.max(lease - marginMilliseconds, lease / 2) };
    }
    if (status === 400 || status === 403) return { detail: `${host} refuses the AppRole (${status}).` };
    return { detail: explainStatus(host, status) };
  }

  async function findToken(source: VaultSource, refused?: string): Promise<Login | Refused> {
    const { authentication } = source;
    if (authentication.kind === "token") return { token: authentication.token, until: Number.POSITIVE_INFINITY };
    const key = keyOf(source, []);
    const known = logins.get(key);
    const login = await known;
    if (login && "token" in login && login.token !== refused && login.until > Date.now()) return login;
    // Another caller may have logged in meanwhile.
    const current = logins.get(key);
    if (current && current !== known) return await current;
    const next = logIn(source, authentication.roleId, authentication.secretId);
    logins.set(key, next);
    const done = await next;
    if (!("token" in done) && logins.get(key) === next) logins.delete(key);
    return done;
  }

  async function fetchOnce(source: VaultSource, path: string, refused?: string): Promise<Fetched> {
    const host = new URL(source.address).host;
    const login = await findToken(source, refused);
    if (!("token" in login)) return login;
    const place = `${source.mount}/data/${path}`;
    const found = await send(source, { method: "GET", path: encodePath(place), token: login.token });
    if (found.outcome === "failed") return { detail: `${host} can't be asked. ${found.failure.detail}` };
    const { status } = found.response;
    if (status === 403) {
      const mayBeStale = source.authentication.kind === "appRole" && refused === undefined;
      if (mayBeStale) return await fetchOnce(source, path, login.token);
      return { detail: `${host} does not allow reading ${place} (403).` };
    }
    const json = parseBody(found.response);
    if (status === 404) {
      const isDeleted = isObject(member(json, "data", "metadata"));
      return { detail: isDeleted ? `The newest version of ${place} is deleted.` : `${host} has no ${place} (404).` };
    }
    if (status !== 200) return { detail: explainStatus(host, status) };
    const values = member(json, "data", "data");
    if (!isObject(values)) return { detail: `${host} has no KV secrets engine of version 2 at ${source.mount}.` };
    return { values };
  }

  return {
    async read(source, { path, key }) {
      const cacheKey = keyOf(source, [path]);
      const known = secrets.get(cacheKey);
      const fetching = known ?? fetchOnce(source, path);
      if (!known) secrets.set(cacheKey, fetching);
      const fetched = await fetching;
      // Only what was read is kept: a corrected policy takes effect immediately.
      if (!("values" in fetched)) {
        if (secrets.get(cacheKey) === fetching) secrets.delete(cacheKey);
        return { ok: false, detail: fetched.detail };
      }
      const value = Object.hasOwn(fetched.values, key) ? fetched.values[key] : undefined;
      const place = `${source.mount}/data/${path}`;
      if (value === undefined) return { ok: false, detail: `${place} has no key ${key}.` };
      if (typeof value !== "string") return { ok: false, detail: `The value of ${key} in ${place} is not text.` };
      const text = value.replace(/\r?\n$/, "");
      return text ? { ok: true, value: text } : { ok: false, detail: `The value of ${key} in ${place} is empty.` };
    },
  };
}

interface Refused {
  /** A sentence. */
  detail: string;
}
type Fetched = { values: Member } | Refused;

function explainStatus(host: string, status: number): string {
  if (status === 503) return `${host} is sealed or in maintenance (503).`;
  if (status >= 300 && status < 400) return `${host} redirects (${status}). Enter the URL it leads to.`;
  if (status === 400) return `${host} does not understand the request (400).`;
  return `${host} returned ${status}.`;
}

/** With another token or address it is another source. Hashed, since the key would hold secrets longer than the value. */
function keyOf(source: VaultSource, others: string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([source, others]))
    .digest("base64url");
}
