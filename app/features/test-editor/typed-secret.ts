import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import { listSecrets, type NamedPart } from "#libraries/redaction/secret-signs.ts";
import { placeholderPattern } from "#libraries/template/placeholders.ts";
import { href } from "~/href";

/** Whether a row contains a secret as typed. A variable is none: its value stands elsewhere. */
export function hasTypedSecret(part: NamedPart, name: string, value: string): boolean {
  return listSecrets(part, name, value.replace(placeholderPattern(), "")).length > 0;
}

/** The form of a credential that would be sent as this row is; the secret itself never is in an address. */
export function getCredentialAddress(
  part: NamedPart,
  name: string,
  value: string,
  baseUrl: string,
): string | undefined {
  if (part !== "header" && part !== "query" && part !== "cookie") return undefined;
  if (/^cookie$/i.test(name)) return undefined;
  const domain = URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
  const scheme = /^(\S+) +\S/.exec(value.trim())?.[1]?.toLowerCase() ?? "";
  const type = part === "header" && /^authorization$/i.test(name) ? types[scheme] : undefined;
  if (type) return href("/administration/credentials/create", { domain, type });
  return href("/administration/credentials/create", { domain, type: "apiKey", in: part, parameterName: name });
}

const types: Record<string, CredentialType | undefined> = {
  basic: "basic",
  bearer: "bearer",
  digest: "digest",
  "aws4-hmac-sha256": "awsSignatureV4",
};
