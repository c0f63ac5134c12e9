import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Credential, CredentialSettings } from "#contracts/security-service/credentials.ts";
import { encodeCookiePart, encodePart } from "../openapi/percent-encoding.ts";
import type { RequestPlan } from "./request-plan.ts";
import type { ChosenAuthorization } from "./scheme-bindings.ts";
import { Unsendable } from "./unsendable.ts";

export interface OpenedCredential {
  id: string;
  name: string;
  type: Credential["type"];
  settings: CredentialSettings;
  secret: string;
  /** Why the secret could not be read, as a sentence; then a request that would carry it is not sent. */
  problem?: string | undefined;
}

export interface RefusedCredential {
  id: string;
  reason: "other_domain" | "not_found";
}

export interface Authorized {
  plan: RequestPlan;
  /** Headers other than Authorization and Cookie that contain a secret. */
  secretHeaderNames: string[];
  carriesCredentials: boolean;
  /** Of the credentials used. */
  credentialIds: string[];
  /** The client certificate to connect with. */
  connecting?: OpenedCredential;
  /** Signs the finished request. */
  signing?: OpenedCredential;
  /** Answers a challenge. */
  challenged?: OpenedCredential;
}

type Scheme = OperationWithComponents["securitySchemes"][number];
type Filled =
  | { in: "header"; name: string; value: string }
  | { in: "query"; name: string; value: string }
  | { in: "cookie"; name: string; value: string }
  /** Used while connecting, or computed from the finished request or from the server's challenge. */
  | { in: "connection" }
  | { in: "signature" }
  | { in: "challenge" };
type Place = Filled & { credential: OpenedCredential };

/**
 * Adds credentials where the security scheme, or else the credential itself, requires them.
 * The test's own values win: an inherited credential never replaces its header.
 * @throws Unsendable when a named credential may not go to this host or does not fit its scheme
 */
export function authorize(
  plan: RequestPlan,
  authorization: ChosenAuthorization,
  credentials: { items: OpenedCredential[]; refused: RefusedCredential[] },
  operation: OperationWithComponents | undefined,
): Authorized {
  const schemes = operation?.securitySchemes ?? [];
  if (authorization.kind === "none") return place(plan, [], false);
  if (authorization.kind === "inherit") {
    const wanted = new Set(operation?.operation.security.flat().map(({ schemeName }) => schemeName));
    const fits = (credential: OpenedCredential) =>
      schemes.some((scheme) => wanted.has(scheme.name) && placeFor(credential, scheme) !== undefined);
    // If several could use the same position, the one that the document requires goes first.
    const inOrder = [...credentials.items].sort((a, b) => Number(fits(b)) - Number(fits(a)));
    return place(
      plan,
      inOrder
        .map((credential) => placeFor(credential))
        .filter((found) => found !== undefined)
        .filter(({ in: where }) => where !== "connection" || isSecure(plan)),
      false,
    );
  }
  const places = authorization.bindings.map(({ schemeName, credentialId }) => {
    const refused = credentials.refused.find(({ id }) => id === credentialId);
    const credential = credentials.items.find(({ id }) => id === credentialId);
    if (refused?.reason === "other_domain") {
      throw new Unsendable(
        "credential_refused",
        `A credential of this test belongs to another domain and was not sent to ${plan.host}.`,
        credentialId,
      );
    }
    if (!credential) {
      throw new Unsendable("credential_missing", "A credential of this test no longer exists.", credentialId);
    }
    const scheme = schemes.find(({ name }) => name === schemeName);
    const found = placeFor(credential, scheme);
    if (!found) {
      throw new Unsendable(
        "credential_mismatch",
        `The credential ${credential.name} can't be used for the security scheme ${schemeName}.`,
        credentialId,
      );
    }
    if (found.in === "connection" && !isSecure(plan)) {
      throw new Unsendable(
        "credential_mismatch",
        `The credential ${credential.name} is a client certificate, and ${plan.origin} is not https.`,
        credentialId,
      );
    }
    return found;
  });
  return place(plan, places, !authorization.inherited);
}

function isSecure({ origin }: RequestPlan): boolean {
  return origin.startsWith("https:");
}

function placeFor(credential: OpenedCredential, scheme?: Scheme): Place | undefined {
  const filled = fill(credential, scheme);
  return filled && { ...filled, credential };
}

function fill({ type, settings, secret }: OpenedCredential, scheme: Scheme | undefined): Filled | undefined {
  const bearer = (): Filled => ({ in: "header", name: "authorization", value: `Bearer ${secret}` });
  const basic = (): Filled => {
    const pair = Buffer.from(`${settings.username ?? ""}:${secret}`, "utf8").toString("base64");
    return { in: "header", name: "authorization", value: `Basic ${pair}` };
  };
  if (type === "digest") return !scheme || isHttp(scheme, "digest") ? { in: "challenge" } : undefined;
  if (type === "mutualTls") return !scheme || scheme.type === "mutualTLS" ? { in: "connection" } : undefined;
  if (type === "awsSignatureV4") return !scheme || isAwsScheme(scheme) ? { in: "signature" } : undefined;
  switch (scheme?.type) {
    case "http":
      if (scheme.scheme === "basic") return type === "basic" ? basic() : undefined;
      return scheme.scheme === "bearer" && type !== "basic" ? bearer() : undefined;
    case "oauth2":
    case "openIdConnect":
      return type === "basic" ? undefined : bearer();
    case "apiKey":
      if (type === "basic" || !scheme.parameterName) return undefined;
      return { in: scheme.in ?? "header", name: scheme.parameterName, value: secret };
    case "mutualTLS":
      return undefined;
  }
  if (type === "basic") return basic();
  if (type === "bearer" || type === "oauth2ClientCredentials") return bearer();
  return settings.parameterName
    ? { in: settings.in ?? "header", name: settings.parameterName, value: secret }
    : undefined;
}

function isHttp(scheme: Scheme, name: string): boolean {
  return scheme.type === "http" && scheme.scheme?.toLowerCase() === name;
}

/** OpenAPI has no type for it: API Gateway exports an API key in the header Authorization, others name the scheme. */
function isAwsScheme(scheme: Scheme): boolean {
  if (scheme.type === "apiKey")
    return scheme.in === "header" && scheme.parameterName?.toLowerCase() === "authorization";
  return isHttp(scheme, "aws4-hmac-sha256");
}

function place(plan: RequestPlan, places: Place[], replaces: boolean): Authorized {
  const headers = [...plan.headers];
  const query = [...plan.query];
  const cookies = [...plan.cookies];
  const secretHeaderNames: string[] = [];
  const credentialIds: string[] = [];
  const late: Pick<Authorized, "connecting" | "signing" | "challenged"> = {};
  for (const { credential, ...filled } of places) {
    if (filled.in === "connection") {
      if (late.connecting) continue;
      late.connecting = credential;
    } else if (filled.in === "signature" || filled.in === "challenge") {
      const index = findHeader(headers, "authorization");
      const isTaken = index >= 0 || late.signing || late.challenged;
      if (isTaken && !replaces) continue;
      if (index >= 0) headers.splice(index, 1);
      late.signing = filled.in === "signature" ? credential : undefined;
      late.challenged = filled.in === "challenge" ? credential : undefined;
    } else if (filled.in === "header") {
      const { name, value } = filled;
      const index = findHeader(headers, name);
      const isLate = name.toLowerCase() === "authorization" && (late.signing || late.challenged);
      if ((index >= 0 || isLate) && !replaces) continue;
      if (isLate) late.signing = late.challenged = undefined;
      if (index >= 0) headers.splice(index, 1);
      headers.push([name, value]);
      secretHeaderNames.push(name);
    } else if (filled.in === "query") {
      const key = `${encodePart(filled.name)}=`;
      if (query.some((part) => part.startsWith(key))) continue;
      query.push(key + encodePart(filled.value));
    } else {
      const key = `${filled.name}=`;
      if (cookies.some((part) => part.startsWith(key))) continue;
      cookies.push(key + encodeCookiePart(filled.value));
    }
    credentialIds.push(credential.id);
  }
  const own = plan.headers.some(([name]) => name.toLowerCase() === "authorization");
  return {
    plan: { ...plan, headers, query, cookies },
    secretHeaderNames,
    carriesCredentials: credentialIds.length > 0 || own,
    credentialIds,
    ...late,
  };
}

function findHeader(headers: RequestPlan["headers"], name: string): number {
  return headers.findIndex(([given]) => given.toLowerCase() === name.toLowerCase());
}
