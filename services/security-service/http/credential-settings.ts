import type { FieldError } from "#contracts/kit/problem.ts";
import { type CredentialType, typesOfCredentials } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import { isCertificate, wrapPem } from "../domain/pem.ts";

interface TypeOfCredential {
  settings: { shape: object };
  check(settings: CredentialSettings, report: (field: string, message: string) => void): void;
  defaults: CredentialSettings;
  certificates: readonly string[];
}
/** Each type reads only its own fields of the settings. */
const types: Record<CredentialType, TypeOfCredential> = typesOfCredentials;

const pemMessages: Record<string, string> = {
  certificate: "Paste a certificate in PEM, from -----BEGIN CERTIFICATE----- on",
  authority: "Paste certificates in PEM, from -----BEGIN CERTIFICATE----- on",
};

export function findSettingsErrors(type: CredentialType, settings: CredentialSettings): FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: string, message: string) => errors.push({ path: `settings.${field}`, message });
  types[type].check(settings, report);
  for (const field of types[type].certificates) {
    const text = settings[field as keyof CredentialSettings];
    if (text && !isCertificate(text)) report(field, pemMessages[field]!);
  }
  return errors;
}

/** Only fields of the type: leftovers of a form for another type are dropped. */
export function settingsFor(type: CredentialType, settings: CredentialSettings): CredentialSettings {
  const { settings: own, defaults, certificates } = types[type];
  const given: CredentialSettings = { ...defaults, ...settings };
  const stored = (Object.keys(own.shape) as (keyof CredentialSettings)[])
    .map((field) => [field, given[field]] as const)
    .filter(([, value]) => value)
    .map(([field, value]) => [field, certificates.includes(field) ? wrapPem(value!) : value]);
  return Object.fromEntries(stored);
}
