import { createHash } from "node:crypto";

/** HTTP Digest access authentication (RFC 7616) with `qop=auth`, and without a qop as older servers still require. */
export interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque?: string;
  algorithm: string;
  hash: "sha256" | "md5";
  isSession: boolean;
  qop?: "auth";
  hashesUsername: boolean;
}

const hashes: Record<string, DigestChallenge["hash"]> = { "sha-256": "sha256", md5: "md5" };

const part = /([!#$%&'*+.^_`|~\w-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)|([!#$%&'*+.^_`|~\w-]+)(?=\s|,|$)/g;

/** The strongest challenge that can be answered; undefined when there is none. */
export function findDigestChallenge(headers: readonly [string, string][]): DigestChallenge | undefined {
  const challenges = headers
    .filter(([name]) => name.toLowerCase() === "www-authenticate")
    .flatMap(([, value]) => listDigests(value))
    .flatMap(readChallenge);
  return challenges.find(({ hash }) => hash === "sha256") ?? challenges[0];
}

/** One header may contain several challenges; a word without a value begins the next. */
function listDigests(value: string): Map<string, string>[] {
  const found: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const [, name, given, scheme] of value.matchAll(part)) {
    if (scheme !== undefined) {
      current = scheme.toLowerCase() === "digest" ? new Map() : undefined;
      if (current) found.push(current);
    } else if (name && given) current?.set(name.toLowerCase(), unquote(given));
  }
  return found;
}

function readChallenge(fields: Map<string, string>): DigestChallenge[] {
  const algorithm = fields.get("algorithm") ?? "MD5";
  const hash = hashes[algorithm.toLowerCase().replace(/-sess$/, "")];
  const nonce = fields.get("nonce");
  const offered = fields
    .get("qop")
    ?.toLowerCase()
    .split(/[\s,]+/);
  if (!hash || nonce === undefined || (offered && !offered.includes("auth"))) return [];
  return [
    {
      realm: fields.get("realm") ?? "",
      nonce,
      opaque: fields.get("opaque"),
      algorithm,
      hash,
      isSession: /-sess$/i.test(algorithm),
      qop: offered && "auth",
      hashesUsername: fields.get("userhash")?.toLowerCase() === "true",
    },
  ];
}

export interface DigestInput {
  method: string;
  /** Path and query, as in the request line. */
  uri: string;
  username: string;
  password: string;
  cnonce: string;
}

/** The header Authorization, and the values in it that are derived from the password. */
export function answerDigest(challenge: DigestChallenge, { method, uri, username, password, cnonce }: DigestInput) {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  const digest = (...texts: string[]) => createHash(challenge.hash).update(texts.join(":"), "utf8").digest("hex");
  const count = "00000001";
  const user = digest(username, realm, password);
  const session = challenge.isSession ? digest(user, nonce, cnonce) : user;
  const request = digest(method, uri);
  const response = qop ? digest(session, nonce, count, cnonce, qop, request) : digest(session, nonce, request);
  const fields = [
    ...nameUser(username, challenge.hashesUsername ? digest(username, realm) : undefined),
    `realm=${quote(realm)}`,
    `uri=${quote(uri)}`,
    `algorithm=${algorithm}`,
    `nonce=${quote(nonce)}`,
    ...(qop ? [`nc=${count}`, `qop=${qop}`] : []),
    ...(qop || challenge.isSession ? [`cnonce=${quote(cnonce)}`] : []),
    `response=${quote(response)}`,
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
  ];
  return { header: `Digest ${fields.join(", ")}`, response };
}

function nameUser(username: string, hashed: string | undefined): string[] {
  if (hashed) return [`username=${quote(hashed)}`, "userhash=true"];
  if (/^[\x20-\x7e]*$/.test(username)) return [`username=${quote(username)}`];
  const encoded = encodeURIComponent(username).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return [`username*=UTF-8''${encoded}`];
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}
