import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toList, toRecord, toText, toTexts } from "#libraries/json/json-value.ts";
import { type DocumentSet, resolve } from "../references/document-set.ts";

const locations = new Set(["header", "query", "cookie"]);

/** Security schemes of the document by name, in document order; unsupported types are omitted. */
export function describeSecuritySchemes(set: DocumentSet): SecurityScheme[] {
  const root = toRecord(set.files.get("")?.value);
  const isSwagger = set.version === "2.0";
  const named = toRecord(isSwagger ? root.securityDefinitions : toRecord(root.components).securitySchemes);
  const described: SecurityScheme[] = [];
  for (const [name, value] of Object.entries(named).slice(0, 500)) {
    const scheme = resolve(set, { file: "", pointer: "", value })?.value;
    if (!isRecord(scheme)) continue;
    const one = isSwagger ? describeSwaggerScheme(name, scheme) : describeScheme(name, scheme);
    if (one) described.push(one);
  }
  return described;
}

function describeScheme(name: string, scheme: JsonRecord): SecurityScheme | undefined {
  const base = { name, ...(toText(scheme.description) ? { description: toText(scheme.description) } : {}) };
  switch (scheme.type) {
    case "apiKey":
      return describeApiKey(base, scheme);
    case "http": {
      const bearerFormat = toText(scheme.bearerFormat);
      return {
        ...base,
        type: "http",
        scheme: toText(scheme.scheme).toLowerCase(),
        ...(bearerFormat ? { bearerFormat } : {}),
      };
    }
    case "oauth2":
      return { ...base, type: "oauth2", flows: toRecord(scheme.flows) };
    case "openIdConnect":
      return { ...base, type: "openIdConnect", openIdConnectUrl: toText(scheme.openIdConnectUrl) };
    case "mutualTLS":
      return { ...base, type: "mutualTLS" };
    default:
      return undefined;
  }
}

function describeApiKey(base: { name: string; description?: string }, scheme: JsonRecord): SecurityScheme {
  const location = toText(scheme.in);
  return {
    ...base,
    type: "apiKey",
    in: locations.has(location) ? (location as SecurityScheme["in"]) : "header",
    parameterName: toText(scheme.name),
  };
}

const swaggerFlows: Record<string, string> = {
  implicit: "implicit",
  password: "password",
  application: "clientCredentials",
  accessCode: "authorizationCode",
};

function describeSwaggerScheme(name: string, scheme: JsonRecord): SecurityScheme | undefined {
  const base = { name, ...(toText(scheme.description) ? { description: toText(scheme.description) } : {}) };
  if (scheme.type === "basic") return { ...base, type: "http", scheme: "basic" };
  if (scheme.type === "apiKey") return describeApiKey(base, scheme);
  if (scheme.type !== "oauth2") return undefined;
  const flow = swaggerFlows[toText(scheme.flow)];
  const { authorizationUrl, tokenUrl, scopes } = scheme;
  return { ...base, type: "oauth2", flows: flow ? { [flow]: { authorizationUrl, tokenUrl, scopes } } : {} };
}

/** Security requirements; undefined when none are given, so that the document's own apply. */
export function describeSecurity(value: unknown): DescribedOperation["security"] | undefined {
  if (!Array.isArray(value)) return undefined;
  return toList(value)
    .slice(0, 100)
    .map((requirement) =>
      Object.entries(toRecord(requirement)).map(([schemeName, scopes]) => ({ schemeName, scopes: toTexts(scopes) })),
    );
}
