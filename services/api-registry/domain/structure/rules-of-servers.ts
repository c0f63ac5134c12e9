import { getMember, isRecord, toRecord, toText } from "#libraries/json/json-value.ts";
import { quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import type { Rule } from "./rule.ts";
import { enumerate } from "./wording.ts";

export const validateLicense: Rule = (value, location, { diagnostics }) => {
  if (value.identifier !== undefined && value.url !== undefined) {
    diagnostics.error(location, 'The license has both "identifier" and "url"; only one may be given.');
  }
};

export const validateServer: Rule = (value, location, { diagnostics }) => {
  const url = toText(value.url);
  const variables = toRecord(value.variables);
  for (const [, name] of url.matchAll(/\{([^{}]*)\}/g)) {
    if (Object.hasOwn(variables, name!)) continue;
    diagnostics.warn(
      { ...location, pointer: childPointer(location.pointer, "url") },
      `The server's address contains {${name}}, but "variables" does not define it.`,
    );
  }
  if (/[?#]/.test(url)) {
    diagnostics.warn(
      { ...location, pointer: childPointer(location.pointer, "url") },
      "A server's address has no query and no fragment.",
    );
  }
};

export const validateServerVariable: Rule = (value, location, { diagnostics, version }) => {
  if (!Array.isArray(value.enum)) return;
  const at = { ...location, pointer: childPointer(location.pointer, "enum") };
  if (value.enum.length === 0) {
    const message = '"enum" of a server variable is empty; list the values it may have, or remove it.';
    if (version === "3.0") diagnostics.warn(at, message);
    else diagnostics.error(at, message);
  } else if (typeof value.default === "string" && !value.enum.map(toText).includes(value.default)) {
    diagnostics.warn(
      { ...location, pointer: childPointer(location.pointer, "default") },
      `The default ${quoted(value.default)} of this server variable is not one of its "enum".`,
    );
  }
};

const neededByType: Record<string, string[]> = {
  apiKey: ["name", "in"],
  http: ["scheme"],
  oauth2: ["flows"],
  openIdConnect: ["openIdConnectUrl"],
};
const neededByFlow: Record<string, string[]> = {
  implicit: ["authorizationUrl", "scopes"],
  accessCode: ["authorizationUrl", "tokenUrl", "scopes"],
  password: ["tokenUrl", "scopes"],
  application: ["tokenUrl", "scopes"],
};

export const validateScheme: Rule = (value, location, { diagnostics, version }) => {
  const type = toText(value.type);
  const isSwagger = version === "2.0";
  const types = isSwagger ? ["basic", "apiKey", "oauth2"] : ["apiKey", "http", "oauth2", "openIdConnect"];
  if (version !== "2.0" && version !== "3.0") types.push("mutualTLS");
  if (type !== "" && !isSwagger && !types.includes(type)) {
    const since = type === "mutualTLS" ? ' "mutualTLS" came with OpenAPI 3.1.' : "";
    const basic = type === "basic" ? ' Write type: "http" with scheme: "basic".' : "";
    diagnostics.error(
      { ...location, pointer: childPointer(location.pointer, "type") },
      `The type of a security scheme has to be ${enumerate(types)} in OpenAPI ${version}, and is ${quoted(type)}.${since}${basic}`,
    );
  }
  const needed =
    isSwagger && type === "oauth2" ? ["flow", ...(neededByFlow[toText(value.flow)] ?? [])] : neededByType[type];
  for (const name of needed ?? []) {
    if (isSwagger && (name === "flows" || type === "http")) continue;
    if (getMember(value, name) === undefined) {
      diagnostics.error(location, `"${name}" is missing: a security scheme of type ${quoted(type)} needs it.`);
    }
  }
};

const neededByFlowName: Record<string, string[]> = {
  implicit: ["authorizationUrl"],
  password: ["tokenUrl"],
  clientCredentials: ["tokenUrl"],
  authorizationCode: ["authorizationUrl", "tokenUrl"],
  deviceAuthorization: ["deviceAuthorizationUrl", "tokenUrl"],
};

export const validateFlow: Rule = (value, location, { diagnostics }) => {
  const flow = location.pointer.slice(location.pointer.lastIndexOf("/") + 1);
  for (const name of neededByFlowName[flow] ?? []) {
    if (getMember(value, name) === undefined)
      diagnostics.error(location, `"${name}" is missing: the ${flow} flow needs it.`);
  }
  if (isRecord(value) && value.scopes === null)
    diagnostics.error(location, '"scopes" is empty; write {} when there are none.');
};
