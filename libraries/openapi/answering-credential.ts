import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import type { Credential, CredentialSettings } from "#contracts/security-service/credentials.ts";
import { findTokenUrl } from "./scheme-words.ts";

type Typed = Pick<Credential, "type" | "settings">;

/** A credential's form as a scheme fills it in: everything but names of users and secrets. */
export interface FilledCredential {
  /** Types that answer the scheme, the likeliest first. */
  types: [CredentialType, ...CredentialType[]];
  settings: CredentialSettings;
}

/**
 * Whether a credential answers a security scheme by itself: sent as its own type says, it stands where the scheme wants
 * it. Others answer a scheme only where an authorization config says so.
 */
export function answersScheme({ type, settings }: Typed, scheme: SecurityScheme): boolean {
  if (type === "apiKey") {
    const { in: location = "header", name } = getPlace(scheme);
    if ((settings.in ?? "header") !== location) return false;
    return isSame(location, settings.parameterName ?? "", name);
  }
  if (type === "mutualTls") return scheme.type === "mutualTLS";
  if (type === "awsSignatureV4")
    return scheme.type === "http" ? scheme.scheme === "aws4-hmac-sha256" : isInAuthorization(scheme);
  return getTypes(scheme).includes(type) || (scheme.type === "apiKey" && isInAuthorization(scheme));
}

/** Where a scheme wants its secret; for all but API keys and client certificates it is the header Authorization. */
function getPlace(scheme: SecurityScheme): { in?: "header" | "query" | "cookie"; name: string } {
  if (scheme.type === "apiKey") return { in: scheme.in, name: scheme.parameterName ?? "" };
  return { in: "header", name: scheme.type === "mutualTLS" ? "" : "Authorization" };
}

function isSame(location: "header" | "query" | "cookie", one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  return location === "header" ? one.toLowerCase() === other.toLowerCase() : one === other;
}

function isInAuthorization(scheme: SecurityScheme): boolean {
  const { in: location = "header", name } = getPlace(scheme);
  return location === "header" && name.toLowerCase() === "authorization";
}

function getTypes(scheme: SecurityScheme): FilledCredential["types"] {
  switch (scheme.type) {
    case "apiKey":
      return ["apiKey"];
    case "mutualTLS":
      return ["mutualTls"];
    case "oauth2":
      return findTokenUrl(scheme) === undefined
        ? ["bearer", "oauth2ClientCredentials"]
        : ["oauth2ClientCredentials", "bearer"];
    case "openIdConnect":
      return ["bearer", "oauth2ClientCredentials"];
    case "http":
      if (scheme.scheme === "basic" || scheme.scheme === "digest") return [scheme.scheme];
      if (scheme.scheme === "bearer") return ["bearer", "oauth2ClientCredentials"];
      return scheme.scheme === "aws4-hmac-sha256" ? ["awsSignatureV4"] : ["apiKey"];
  }
}

/** The form of a credential for a scheme. A scheme of HTTP without a type of its own is the whole header's value. */
export function fillCredential(scheme: SecurityScheme): FilledCredential {
  const types = getTypes(scheme);
  const { in: location = "header", name } = getPlace(scheme);
  const tokenUrl = findTokenUrl(scheme);
  return {
    types,
    settings: {
      ...(types[0] === "apiKey" ? { in: location, parameterName: name } : {}),
      ...(tokenUrl && URL.canParse(tokenUrl) ? { tokenUrl } : {}),
    },
  };
}

/** The parts of a request as sent: headers, and query and cookies as encoded `name=value`. */
export interface SentParts {
  headers: readonly (readonly [name: string, value: string])[];
  query: readonly string[];
  cookies: readonly string[];
}

/** Whether a value that a test brings by itself stands where a scheme wants one. */
export function isAnsweredByHand(scheme: SecurityScheme, { headers, query, cookies }: SentParts): boolean {
  const hasHeader = (wanted: string) => headers.some(([name, value]) => value !== "" && isSame("header", name, wanted));
  const hasPair = (pairs: readonly string[], wanted: string) =>
    pairs.some((pair) => pair.startsWith(`${wanted}=`) && pair.length > wanted.length + 1);
  if (scheme.type === "mutualTLS") return false;
  const { in: location = "header", name } = getPlace(scheme);
  if (name === "") return false;
  if (location === "query") return hasPair(query, encodeURIComponent(name)) || hasPair(query, name);
  if (location === "cookie") return hasPair(cookies, name) || hasHeader("cookie");
  // RFC 6750, 2.3: a bearer token may come in the query.
  const takesToken = scheme.type === "oauth2" || scheme.scheme === "bearer";
  return hasHeader(name) || (takesToken && hasPair(query, "access_token"));
}

/** Whether a credential of this type can answer a scheme where an authorization config names it. */
export function mayAnswer(type: CredentialType, scheme: SecurityScheme): boolean {
  const types = getTypes(scheme);
  if (types.includes(type)) return true;
  const tokens: CredentialType[] = ["bearer", "oauth2ClientCredentials", "apiKey"];
  return tokens.includes(type) && tokens.includes(types[0]);
}
