import type { CollectedAuthorization, CollectedRequest, Pair } from "#libraries/collections/collection.ts";
import { isSecretHeader, isSecretName, listSecrets } from "#libraries/redaction/secret-signs.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import type { KnownValues } from "./known-values.ts";

/** What a request authenticates with, its secret written out. */
export type FoundCredential = Exclude<CollectedAuthorization, { kind: "inherit" } | { kind: "none" }>;

export interface RequestSecrets {
  credentials: FoundCredential[];
  /** Rows that remain in the test: without secrets, or with one that a response brings. */
  headers: Pair[];
  query: Pair[];
  cookies: Pair[];
  /** Whether the test sends what its host's credentials say. */
  authorization: "inherit" | "none" | "credentials";
  /** Secrets that have no value in the files. */
  missing: string[];
}

interface Sources {
  values: KnownValues;
  /** Names that get their value when the tests run: a response or the environment brings it. */
  captured: ReadonlySet<string>;
}

/** Authorizations that a row of a test can say. */
export const rowKinds: ReadonlySet<CollectedAuthorization["kind"]> = new Set(["bearer", "apiKey"]);

/**
 * Takes the secrets out of a request. One that an earlier response or the environment brings stays as a variable.
 * @param inCredential where an authorization that no row of a test can say gets its values
 */
export function takeSecrets(request: CollectedRequest, sources: Sources, inCredential: Sources): RequestSecrets {
  const taken: RequestSecrets = {
    credentials: [],
    headers: [],
    query: [],
    cookies: [],
    authorization: "inherit",
    missing: [],
  };
  const { authorization } = request;
  const brought = readAuthorization(authorization, taken, rowKinds.has(authorization.kind) ? sources : inCredential);
  for (const row of request.headers) takeHeader(row, taken, sources);
  takeRows("query", request.query, taken, sources);
  takeRows("cookie", request.cookies, taken, sources);
  if (taken.credentials.length > 0) taken.authorization = "credentials";
  else if (request.authorization.kind === "none" || brought || hasOwnAuthorization(taken)) taken.authorization = "none";
  return taken;
}

const hasOwnAuthorization = ({ headers }: RequestSecrets) =>
  headers.some(({ name, enabled }) => enabled && /^authorization$/i.test(name));

/** @returns whether a response brings it, so that a row of the test has it */
function readAuthorization(authorization: CollectedAuthorization, taken: RequestSecrets, sources: Sources): boolean {
  if (authorization.kind === "inherit" || authorization.kind === "none") return false;
  const filled = sources.values.fill(authorization.secret);
  const open = listPlaceholders(filled);
  if (open.length === 0 && !filled.includes("{{")) {
    if (filled === "") taken.missing.push(describeKind(authorization.kind));
    else taken.credentials.push(fillAll({ ...authorization, secret: filled }, sources.values));
    return false;
  }
  const row = open.every((name) => sources.captured.has(name)) ? toRow(authorization) : undefined;
  if (!row) {
    taken.missing.push(...open);
    return false;
  }
  taken[row.part].push({ name: row.name, value: row.value, enabled: true });
  return true;
}

function toRow(
  authorization: FoundCredential,
): { part: "headers" | "query" | "cookies"; name: string; value: string } | undefined {
  if (authorization.kind === "bearer")
    return { part: "headers", name: "Authorization", value: `Bearer ${authorization.secret}` };
  if (authorization.kind !== "apiKey") return undefined;
  const parts = { header: "headers", query: "query", cookie: "cookies" } as const;
  return { part: parts[authorization.in], name: authorization.name, value: authorization.secret };
}

const describeKind = (kind: FoundCredential["kind"]) => `secret of ${kind}`;

function fillAll(credential: FoundCredential, values: KnownValues): FoundCredential {
  const filled = Object.entries(credential).map(([name, value]) => [
    name,
    typeof value === "string" && name !== "kind" ? values.fill(value) : value,
  ]);
  return Object.fromEntries(filled) as FoundCredential;
}

/** The text to store as a secret; undefined where the row stays in the test. */
function secretOf(
  { value, enabled }: Pair,
  isSecret: (filled: string) => boolean,
  { values, captured }: Sources,
  taken: RequestSecrets,
) {
  const filled = values.fill(value);
  const names = listPlaceholders(value);
  if (!isSecret(filled) && !values.holdsSecret(names)) return undefined;
  const open = listPlaceholders(filled);
  if (open.length > 0) {
    if (enabled) taken.missing.push(...open.filter((name) => !captured.has(name)));
    return undefined;
  }
  return filled === "" || filled.includes("{{") ? undefined : filled;
}

function takeHeader(row: Pair, taken: RequestSecrets, sources: Sources): void {
  if (/^cookie$/i.test(row.name)) {
    takeRows("cookie", parseCookies(row), taken, sources);
    return;
  }
  const secret = secretOf(row, (filled) => isSecretHeader(row.name, filled), sources, taken);
  if (secret === undefined) taken.headers.push(row);
  else if (row.enabled) addOnce(taken, toHeaderCredential(row.name, secret));
}

function toHeaderCredential(name: string, value: string): FoundCredential {
  const [, scheme = "", rest = ""] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (/^authorization$/i.test(name) && /^bearer$/i.test(scheme)) return { kind: "bearer", secret: rest };
  if (/^authorization$/i.test(name) && /^basic$/i.test(scheme)) {
    const pair = Buffer.from(rest, "base64").toString("utf8");
    const colon = pair.indexOf(":");
    if (colon > 0 && colon < pair.length - 1)
      return { kind: "basic", user: pair.slice(0, colon), secret: pair.slice(colon + 1) };
  }
  return { kind: "apiKey", in: "header", name, secret: value };
}

function takeRows(part: "query" | "cookie", rows: readonly Pair[], taken: RequestSecrets, sources: Sources): void {
  for (const row of rows) {
    const isSecret = (filled: string) => isSecretName(row.name) || listSecrets(part, row.name, filled).length > 0;
    const secret = secretOf(row, isSecret, sources, taken);
    if (secret === undefined) taken[part === "query" ? "query" : "cookies"].push(row);
    else if (row.enabled) addOnce(taken, { kind: "apiKey", in: part, name: row.name, secret });
  }
}

function parseCookies({ value, enabled }: Pair): Pair[] {
  return value.split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    return equals > 0 ? [{ name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim(), enabled }] : [];
  });
}

/** The request's own authorization counts before a header that says the same. */
function addOnce(taken: RequestSecrets, credential: FoundCredential): void {
  const isThere = taken.credentials.some((one) => JSON.stringify(one) === JSON.stringify(credential));
  if (!isThere) taken.credentials.push(credential);
}
