import type { FieldError } from "../../kit/problem/problem.ts";
import { findDomainFault } from "./domain-binding.ts";

export type CredentialType = "basic" | "bearer" | "apiKey";

export interface CredentialSettings {
  username?: string;
  in?: "header" | "query" | "cookie";
  parameterName?: string;
}

export interface GivenCredential {
  name: string;
  domain: string;
  type: CredentialType;
  settings: CredentialSettings;
  secret?: string;
}

/** RFC 9110 `token`: what a header or cookie may be called. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Headers that frame or route the message; a secret in them would change where it goes or how it is read. */
const framingHeaders =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const controlCharacters = /[\u0000-\u001f\u007f]/;

function findSettingsFaults({ type, settings }: GivenCredential): FieldError[] {
  const faults: FieldError[] = [];
  const fault = (path: string, message: string) => faults.push({ path: `settings.${path}`, message });
  if (type === "basic") {
    const { username = "" } = settings;
    if (username === "") fault("username", "Enter the user name");
    else if (username.includes(":")) fault("username", "A Basic user name can't contain a colon");
    else if (controlCharacters.test(username)) fault("username", "A user name is one line of text");
  }
  if (type === "apiKey") {
    const { parameterName = "" } = settings;
    if (!settings.in) fault("in", "Choose where the key goes: header, query or cookie");
    if (parameterName === "") fault("parameterName", "Enter the name of the header or parameter");
    else if (settings.in === "query" ? controlCharacters.test(parameterName) : !token.test(parameterName)) {
      fault("parameterName", "Use letters, digits and hyphens only, as in X-API-Key");
    } else if (settings.in === "header" && framingHeaders.test(parameterName)) {
      fault("parameterName", "This header belongs to the connection and can't carry a key");
    }
  }
  return faults;
}

function findSecretFault(given: GivenCredential, stored: { domain: string; type: CredentialType } | undefined) {
  if (given.secret !== undefined) {
    return controlCharacters.test(given.secret) ? "A secret is one line of text" : undefined;
  }
  if (!stored) return "Enter the secret";
  if (stored.type !== given.type) return "Enter the secret again: it was given for another kind of credential";
  // Else whoever may edit could point the credential at a host of their own and read there what they can't read here.
  if (stored.domain !== given.domain) return "Enter the secret again: it was given for another domain";
  return undefined;
}

/** What must be corrected before this can be stored, beside the field it concerns. */
export function findCredentialFaults(
  given: GivenCredential,
  stored?: { domain: string; type: CredentialType },
): FieldError[] {
  const domainFault = findDomainFault(given.domain);
  const secretFault = findSecretFault(given, stored);
  return [
    ...(controlCharacters.test(given.name) ? [{ path: "name", message: "A name is one line of text" }] : []),
    ...(domainFault ? [{ path: "domain", message: domainFault }] : []),
    ...findSettingsFaults(given),
    ...(secretFault ? [{ path: "secret", message: secretFault }] : []),
  ];
}

/** Only what the type knows: what a form left behind from another type is not kept. */
export function settingsFor(type: CredentialType, settings: CredentialSettings): CredentialSettings {
  if (type === "basic") return { username: settings.username };
  if (type === "apiKey") return { in: settings.in, parameterName: settings.parameterName };
  return {};
}
