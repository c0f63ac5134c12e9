import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Credential } from "#contracts/security-service/credentials.ts";
import type { CollectedAuthorization, Pair } from "#libraries/collections/collection.ts";
import { chooseAuthorization } from "#libraries/running/scheme-bindings.ts";
import type { Execution } from "./fill-row.ts";
import type { KnownCredentials } from "./surroundings.ts";

export interface Authorized {
  authorization: CollectedAuthorization;
  headers: Pair[];
  query: Pair[];
  cookies: Pair[];
  /** Whose secrets are variables. */
  used: Credential[];
}

/** The variable that stands for a credential's secret. */
export function nameSecret({ name }: Credential): string {
  const written = name.replace(/\W+/g, "_").replace(/^_+|_+$/g, "");
  return /^[A-Za-z_]/.test(written) ? written : `credential_${written}`;
}

/** What a request authenticates with, secrets as variables. One way is its authorization, further ones are headers. */
export function collectAuthorization(
  { request }: Execution,
  host: string,
  operation: OperationWithComponents | undefined,
  known: KnownCredentials,
  addLoss: (what: string, reason: string) => void,
): Authorized {
  const found: Authorized = { authorization: { kind: "none" }, headers: [], query: [], cookies: [], used: [] };
  for (const { credential, schemeName } of listCredentials(request.authorization, host, operation, known, addLoss)) {
    const scheme = operation?.securitySchemes.find(({ name }) => name === schemeName);
    const way = toAuthorization(credential, scheme);
    if (!way) {
      const reason = "A client certificate is given to the tool, not written into a file of requests.";
      addLoss(`credential ${credential.name}`, reason);
      continue;
    }
    const name = way.kind === "apiKey" && way.in === "header" ? way.name : "Authorization";
    const isGiven = request.headers.some((one) => one.enabled && one.name.toLowerCase() === name.toLowerCase());
    if (isGiven && (way.kind !== "apiKey" || way.in === "header")) continue;
    found.used.push(credential);
    if (found.authorization.kind === "none") found.authorization = way;
    else if (way.kind === "bearer") found.headers.push(toPair("Authorization", `Bearer ${way.secret}`));
    else if (way.kind === "apiKey") {
      const place = { header: found.headers, query: found.query, cookie: found.cookies }[way.in];
      place.push(toPair(way.name, way.secret));
    } else addLoss(`credential ${credential.name}`, "The request has another credential already.");
  }
  return found;
}

const toPair = (name: string, value: string): Pair => ({ name, value, enabled: true });

function listCredentials(
  authorization: Execution["request"]["authorization"],
  host: string,
  operation: OperationWithComponents | undefined,
  known: KnownCredentials,
  addLoss: (what: string, reason: string) => void,
): { credential: Credential; schemeName?: string }[] {
  if (authorization.kind === "none") return [];
  const { credentials, configs } = known.ofHost(host);
  const chosen = chooseAuthorization(authorization, configs, operation);
  if (chosen.kind === "none") return [];
  if (chosen.kind === "inherit") {
    const requiresNone = operation !== undefined && operation.operation.security.length === 0;
    return requiresNone ? [] : credentials.map((credential) => ({ credential }));
  }
  return chosen.bindings.flatMap(({ credentialId, schemeName }) => {
    const credential = known.byId.get(credentialId);
    if (credential) return [{ credential, schemeName }];
    addLoss("credential", "It was deleted, or can't be read.");
    return [];
  });
}

type Scheme = OperationWithComponents["securitySchemes"][number];

function toAuthorization(credential: Credential, scheme: Scheme | undefined): CollectedAuthorization | undefined {
  const { type, settings } = credential;
  const secret = `{{${nameSecret(credential)}}}`;
  if (scheme?.type === "apiKey" && scheme.parameterName && type !== "awsSignatureV4")
    return { kind: "apiKey", in: scheme.in ?? "header", name: scheme.parameterName, secret };
  switch (type) {
    case "basic":
    case "digest":
      return { kind: type, user: settings.username ?? "", secret };
    case "bearer":
      return { kind: "bearer", secret };
    case "apiKey":
      if (scheme && scheme.type !== "apiKey") return { kind: "bearer", secret };
      return { kind: "apiKey", in: settings.in ?? "header", name: settings.parameterName ?? "", secret };
    case "oauth2ClientCredentials": {
      const { tokenUrl = "", clientId = "", scope = "" } = settings;
      const scopes = scope.split(/ +/).filter(Boolean);
      return { kind: "oauth2ClientCredentials", tokenUrl, clientId, secret, scopes };
    }
    case "awsSignatureV4": {
      const { accessKeyId = "", region = "", service = "" } = settings;
      return { kind: "awsSignatureV4", accessKeyId, secret, region, service };
    }
    default:
      return undefined;
  }
}
