import type { FieldError } from "#contracts/kit/problem.ts";
import { isOneLine } from "#contracts/security-service/credential-types/credential-type.ts";
import { type CredentialType, typesOfCredentials } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import { findDomainError } from "../domain/domain-binding.ts";
import { findPrivateKeyError, isCertificate, wrapPem } from "../domain/pem.ts";
import { findSettingsErrors } from "./credential-settings.ts";

export interface GivenCredential {
  name: string;
  domain: string;
  type: CredentialType;
  settings: CredentialSettings;
  secret?: string;
  reference?: SecretReference | undefined;
}

/** The domain, type and settings that the stored secret was given for. */
export type StoredCredential = Pick<GivenCredential, "domain" | "type" | "settings">;

const holdsPrivateKey = (type: CredentialType) => typesOfCredentials[type].secret === "privateKey";

function findSecretError(given: GivenCredential, stored: StoredCredential | undefined) {
  if (given.reference) return given.secret === undefined ? undefined : "Enter either a secret or where it is read";
  if (given.secret !== undefined) {
    const { certificate = "" } = given.settings;
    if (holdsPrivateKey(given.type))
      return isCertificate(certificate) ? findPrivateKeyError(given.secret, certificate) : undefined;
    return isOneLine(given.secret) ? undefined : "A secret is one line of text";
  }
  if (!stored) return "Enter the secret";
  if (stored.type !== given.type) return "Enter the secret again: it was given for another kind of credential";
  // Otherwise an editor could point the credential at their own host and read a secret there that they can't read here.
  if (stored.domain !== given.domain) return "Enter the secret again: it was given for another domain";
  if (getOrigin(stored.settings.tokenUrl) !== getOrigin(given.settings.tokenUrl)) {
    return "Enter the secret again: it was given for another token URL";
  }
  if (
    holdsPrivateKey(given.type) &&
    wrapPem(stored.settings.certificate ?? "") !== wrapPem(given.settings.certificate ?? "")
  ) {
    return "Enter the private key that belongs to this certificate";
  }
  return undefined;
}

/** The credential as it is stored. */
export function secretFor(type: CredentialType, secret: string): string {
  return holdsPrivateKey(type) ? wrapPem(secret) : secret;
}

/** A variable's name is looked at again by the process that reads it. */
function findReferenceError(reference: SecretReference, environmentPrefix: string | undefined): string | undefined {
  if (reference.kind !== "environment") return undefined;
  if (environmentPrefix === undefined) return "This installation allows no secrets from the environment";
  return reference.name.startsWith(environmentPrefix) ? undefined : `Names begin with ${environmentPrefix}`;
}

function getOrigin(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Errors to correct before this can be stored, by field. */
export function findCredentialErrors(
  given: GivenCredential,
  stored?: StoredCredential,
  environmentPrefix?: string,
): FieldError[] {
  const referenceError = given.reference && findReferenceError(given.reference, environmentPrefix);
  const domainError = findDomainError(given.domain);
  const secretError = findSecretError(given, stored);
  return [
    ...(isOneLine(given.name) ? [] : [{ path: "name", message: "A name is one line of text" }]),
    ...(domainError ? [{ path: "domain", message: domainError }] : []),
    ...findSettingsErrors(given.type, given.settings),
    ...(secretError ? [{ path: "secret", message: secretError }] : []),
    ...(referenceError ? [{ path: "reference.name", message: referenceError }] : []),
  ];
}
