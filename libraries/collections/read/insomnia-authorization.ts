import type { CollectedAuthorization } from "../collection.ts";
import { reasons } from "./reasons.ts";
import { membersOf, textOf } from "./tree.ts";

/** The authorization of a request or a folder; undefined where it has none of its own. */
export function readInsomniaAuthorization(
  value: unknown,
  fill: (text: string) => string,
  lose: (what: string, reason: string) => void,
): CollectedAuthorization | undefined {
  const auth = membersOf(value);
  const type = textOf(auth.type);
  if (type === "" || auth.disabled === true) return undefined;
  const read = (name: string) => fill(textOf(auth[name]));
  switch (type) {
    case "none":
      return { kind: "none" };
    case "basic":
    case "digest":
      return { kind: type, user: read("username"), secret: read("password") };
    case "bearer":
      return { kind: "bearer", secret: read("token") };
    case "apikey": {
      const places = { queryParams: "query", cookie: "cookie" } as const;
      const place = textOf(auth.addTo);
      return {
        kind: "apiKey",
        in: place in places ? places[place as keyof typeof places] : "header",
        name: read("key"),
        secret: read("value"),
      };
    }
    case "iam":
      return {
        kind: "awsSignatureV4",
        accessKeyId: read("accessKeyId"),
        secret: read("secretAccessKey"),
        region: read("region"),
        service: read("service"),
      };
    case "oauth2":
      if (textOf(auth.grantType) === "client_credentials")
        return {
          kind: "oauth2ClientCredentials",
          tokenUrl: read("accessTokenUrl"),
          clientId: read("clientId"),
          secret: read("clientSecret"),
          scopes: read("scope").split(/\s+/).filter(Boolean),
        };
      break;
  }
  lose(`authorization ${type}`, reasons.noCredential);
  return { kind: "inherit" };
}
