import type { OperationWithComponents } from "../../api-registry/contract/operations.ts";
import { encodeCookiePart, encodePart } from "../../kit/openapi/percent-encoding.ts";
import type { Credential, CredentialSettings } from "../../security-service/contract/credentials.ts";
import type { Authorization } from "../../test-registry/contract/requests.ts";
import { Unsendable } from "./cause.ts";
import type { RequestPlan } from "./request-plan.ts";

export interface OpenedCredential {
  id: string;
  name: string;
  type: Credential["type"];
  settings: CredentialSettings;
  secret: string;
}

export interface RefusedCredential {
  id: string;
  reason: "other_domain" | "not_found";
}

export interface Authorized {
  plan: RequestPlan;
  /** Headers beside Authorization and Cookie that carry a secret. */
  secretHeaderNames: string[];
  carriesCredentials: boolean;
  /** Of those that were placed. */
  credentialIds: string[];
}

type Scheme = OperationWithComponents["securitySchemes"][number];
type Filled = { in: "header" | "query" | "cookie"; name: string; value: string };
type Place = Filled & { credentialId: string };

/**
 * Puts credentials where the security scheme, or else the credential itself, wants them.
 * What the test writes itself stands: an inherited credential never replaces its header.
 * @throws Unsendable when a named credential may not go to this host or does not fit its scheme.
 */
export function authorize(
  plan: RequestPlan,
  authorization: Authorization,
  credentials: { items: OpenedCredential[]; refused: RefusedCredential[] },
  operation: OperationWithComponents | undefined,
): Authorized {
  const schemes = operation?.securitySchemes ?? [];
  if (authorization.kind === "none") return place(plan, [], false);
  if (authorization.kind === "inherit") {
    const wanted = new Set(operation?.operation.security.flat().map(({ schemeName }) => schemeName));
    const fits = (credential: OpenedCredential) =>
      schemes.some((scheme) => wanted.has(scheme.name) && placeFor(credential, scheme) !== undefined);
    // Where several could stand in the same place, the one the document asks for goes first.
    const inOrder = [...credentials.items].sort((a, b) => Number(fits(b)) - Number(fits(a)));
    return place(plan, inOrder.map((credential) => placeFor(credential)).filter(isPlace), false);
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
      throw new Unsendable("credential_missing", "A credential of this test does not exist any more.", credentialId);
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
    return found;
  });
  return place(plan, places, true);
}

function isPlace(found: Place | undefined): found is Place {
  return found !== undefined;
}

function placeFor(credential: OpenedCredential, scheme?: Scheme): Place | undefined {
  const filled = fill(credential, scheme);
  return filled && { ...filled, credentialId: credential.id };
}

function fill({ type, settings, secret }: OpenedCredential, scheme: Scheme | undefined): Filled | undefined {
  const bearer = (): Filled => ({ in: "header", name: "authorization", value: `Bearer ${secret}` });
  const basic = (): Filled => {
    const pair = Buffer.from(`${settings.username ?? ""}:${secret}`, "utf8").toString("base64");
    return { in: "header", name: "authorization", value: `Basic ${pair}` };
  };
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

function place(plan: RequestPlan, places: Place[], replaces: boolean): Authorized {
  const headers = [...plan.headers];
  const query = [...plan.query];
  const cookies = [...plan.cookies];
  const secretHeaderNames: string[] = [];
  const credentialIds: string[] = [];
  for (const { in: where, name, value, credentialId } of places) {
    if (where === "header") {
      const index = headers.findIndex(([given]) => given.toLowerCase() === name.toLowerCase());
      if (index >= 0 && !replaces) continue;
      if (index >= 0) headers.splice(index, 1);
      headers.push([name, value]);
      secretHeaderNames.push(name);
    } else if (where === "query") {
      const key = `${encodePart(name)}=`;
      if (query.some((part) => part.startsWith(key))) continue;
      query.push(key + encodePart(value));
    } else {
      const key = `${name}=`;
      if (cookies.some((part) => part.startsWith(key))) continue;
      cookies.push(key + encodeCookiePart(value));
    }
    credentialIds.push(credentialId);
  }
  const own = plan.headers.some(([name]) => name.toLowerCase() === "authorization");
  return {
    plan: { ...plan, headers, query, cookies },
    secretHeaderNames,
    carriesCredentials: credentialIds.length > 0 || own,
    credentialIds,
  };
}
