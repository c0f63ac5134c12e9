import type { SecurityScheme } from "#contracts/api-registry/documents.ts";

/** What a security scheme asks a request for, as the object of a sentence: "an API key in X-API-Key". */
export function describeWanted({
  type,
  in: location,
  parameterName = "",
  scheme = "",
  ...more
}: SecurityScheme): string {
  switch (type) {
    case "apiKey":
      if (location === "query") return `an API key in the query parameter ${parameterName}`;
      if (location === "cookie") return `an API key in the cookie ${parameterName}`;
      return `an API key in ${parameterName}`;
    case "http":
      if (scheme === "basic") return "a user name and password (HTTP Basic)";
      if (scheme === "digest") return "a user name and password (HTTP Digest)";
      if (scheme === "bearer") return `a bearer token${more.bearerFormat ? ` (${more.bearerFormat})` : ""}`;
      return `HTTP authentication with the scheme ${scheme}`;
    case "oauth2":
      return `an OAuth 2 access token${findTokenUrl(more) === undefined ? "" : " (client credentials)"}`;
    case "openIdConnect":
      return "an OpenID Connect access token";
    case "mutualTLS":
      return "a client certificate (mutual TLS)";
  }
}

/** The token URL of an OAuth 2 scheme's client credentials flow, as the document writes it. */
export function findTokenUrl({ flows }: Pick<SecurityScheme, "flows">): string | undefined {
  const { clientCredentials } = (flows ?? {}) as { clientCredentials?: { tokenUrl?: unknown } };
  if (typeof clientCredentials !== "object" || clientCredentials === null) return undefined;
  return typeof clientCredentials.tokenUrl === "string" ? clientCredentials.tokenUrl : undefined;
}

const either = new Intl.ListFormat("en", { type: "disjunction" });
const all = new Intl.ListFormat("en", { type: "conjunction" });

/**
 * Alternatives of schemes in words: "an API key in X-API-Key, or a bearer token and a client certificate (mutual TLS)".
 * A name without a scheme is written as it is.
 */
export function describeAlternatives(
  alternatives: readonly (readonly string[])[],
  schemes: readonly SecurityScheme[],
): string {
  const inWords = (name: string) => {
    const scheme = schemes.find((one) => one.name === name);
    return scheme ? describeWanted(scheme) : `the security scheme ${name}`;
  };
  const words = [...new Set(alternatives.map((names) => all.format(new Set(names.map(inWords)))))];
  // "a and b or c" could be read in two ways.
  return alternatives.some((names) => names.length > 1) ? words.join(", or ") : either.format(words);
}
