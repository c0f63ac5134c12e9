import type { CollectedAuthorization } from "../collection.ts";
import { reasons } from "./reasons.ts";

/**
 * What a request of Bruno authenticates with; undefined where it inherits it.
 * @param read a setting of the mode, "" where it is missing
 */
export function readBrunoAuthorization(
  mode: string,
  read: (name: string) => string,
  lose: (what: string, reason: string) => void,
): CollectedAuthorization | undefined {
  switch (mode) {
    case "":
    case "inherit":
      return undefined;
    case "none":
      return { kind: "none" };
    case "basic":
    case "digest":
      return { kind: mode, user: read("username"), secret: read("password") };
    case "bearer":
      return { kind: "bearer", secret: read("token") };
    case "apikey": {
      const location = /^query/.test(read("placement")) ? "query" : "header";
      return { kind: "apiKey", in: location, name: read("key") || "X-API-Key", secret: read("value") };
    }
    case "awsv4":
      return {
        kind: "awsSignatureV4",
        ...{ accessKeyId: read("accessKeyId"), secret: read("secretAccessKey") },
        ...{ region: read("region"), service: read("service") },
      };
    case "oauth2":
      if (read("grant_type") !== "client_credentials") break;
      return {
        kind: "oauth2ClientCredentials",
        ...{ tokenUrl: read("access_token_url"), clientId: read("client_id"), secret: read("client_secret") },
        scopes: read("scope").split(/\s+/).filter(Boolean),
      };
  }
  lose(`authorization ${mode}`, reasons.noCredential);
  return { kind: "inherit" };
}
