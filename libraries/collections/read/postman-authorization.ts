import type { CollectedAuthorization } from "../collection.ts";
import { toPlaceholders } from "./placeholders.ts";
import { reasons } from "./reasons.ts";
import { isMembers, listOf, membersOf, textOf } from "./tree.ts";

/** Undefined where the request inherits what is around it. */
export function readPostmanAuthorization(
  auth: unknown,
  lose: (what: string, reason: string) => void,
): CollectedAuthorization | undefined {
  if (!isMembers(auth)) return undefined;
  const type = textOf(auth.type);
  const given = auth[type];
  // A list of keys and values in 2.1, an object in 2.0.
  const values = Array.isArray(given)
    ? Object.fromEntries(
        listOf(given)
          .map(membersOf)
          .map(({ key, value }) => [textOf(key), value]),
      )
    : membersOf(given);
  const read = (name: string) => toPlaceholders(textOf(values[name]));
  switch (type) {
    case "":
      return undefined;
    case "noauth":
      return { kind: "none" };
    case "basic":
    case "digest":
      return { kind: type, user: read("username"), secret: read("password") };
    case "bearer":
      return { kind: "bearer", secret: read("token") };
    case "apikey": {
      const location = read("in") === "query" ? "query" : "header";
      return { kind: "apiKey", in: location, name: read("key") || "X-API-Key", secret: read("value") };
    }
    case "awsv4":
      return {
        kind: "awsSignatureV4",
        ...{ accessKeyId: read("accessKey"), secret: read("secretKey") },
        ...{ region: read("region") || "us-east-1", service: read("service") || "execute-api" },
      };
    case "oauth2":
      if (read("grant_type") === "client_credentials" && read("accessTokenUrl") !== "")
        return {
          kind: "oauth2ClientCredentials",
          ...{ tokenUrl: read("accessTokenUrl"), clientId: read("clientId"), secret: read("clientSecret") },
          scopes: read("scope").split(/\s+/).filter(Boolean),
        };
      if (read("accessToken") !== "") return { kind: "bearer", secret: read("accessToken") };
      lose(
        "authorization oauth2",
        "Only the grant client_credentials needs no person. Store a credential for the host instead.",
      );
      return { kind: "inherit" };
    default:
      lose(`authorization ${type}`, reasons.noCredential);
      return { kind: "inherit" };
  }
}
