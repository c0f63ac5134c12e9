import type { SecurityScheme } from "#contracts/api-registry/documents.ts";

const httpSchemes: Record<string, string> = {
  basic: "User name and password (Basic)",
  bearer: "Bearer token",
  digest: "User name and password (Digest)",
};

/** What a security scheme requires of a request, in a few words. */
export function securityInWords({
  type,
  in: location,
  parameterName,
  scheme = "",
  bearerFormat,
}: SecurityScheme): string {
  switch (type) {
    case "apiKey":
      return `API key in ${location === "cookie" ? "the cookie" : location === "query" ? "the query parameter" : "the header"} ${parameterName ?? ""}`.trim();
    case "http":
      return `${httpSchemes[scheme] ?? `HTTP ${scheme}`}${bearerFormat ? ` (${bearerFormat})` : ""}`;
    case "oauth2":
      return "OAuth 2.0";
    case "openIdConnect":
      return "OpenID Connect";
    case "mutualTLS":
      return "Client certificate (mutual TLS)";
  }
}
