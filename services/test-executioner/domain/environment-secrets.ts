import type { VaultLocation } from "#contracts/security-service/secret-references.ts";
import type { OpenedCredential } from "#libraries/running/authorization.ts";

/** Reads secrets in this process's environment. */
export interface EnvironmentSecrets {
  /** How names begin that the operator allows; undefined where none are. */
  prefix: string | undefined;
  find(name: string): string | undefined;
}

export const noEnvironmentSecrets: EnvironmentSecrets = { prefix: undefined, find: () => undefined };

/** The value of a variable that the operator allows, or why there is none, as a sentence. */
export function findEnvironmentSecret(
  name: string,
  { prefix, find }: EnvironmentSecrets,
): { ok: true; value: string } | { ok: false; detail: string } {
  const fail = (detail: string) => ({ ok: false, detail }) as const;
  if (prefix === undefined) return fail("This installation allows no secrets from the environment.");
  if (!name.startsWith(prefix)) return fail(`${name} is not allowed: names begin with ${prefix}.`);
  const value = find(name);
  return value ? { ok: true, value } : fail(`The process that runs tests has no variable ${name}.`);
}

/** A credential whose secret may be a variable of the environment. */
export type EnvironmentCredential = OpenedCredential & {
  environmentName?: string | undefined;
  /** Where an agent reads it in its own Vault. */
  vault?: VaultLocation | undefined;
};

/** A credential with its secret, or with the reason why there is none. */
export function readEnvironmentSecret(
  { environmentName: name, ...credential }: EnvironmentCredential,
  secrets: EnvironmentSecrets,
): OpenedCredential {
  if (name === undefined) return credential;
  const found = findEnvironmentSecret(name, secrets);
  return giveSecret(credential, found, name);
}

/** A credential with a secret that was read, or why it could not be. @param name of where it was read */
export function giveSecret(
  credential: OpenedCredential,
  found: { ok: true; value: string } | { ok: false; detail: string },
  name: string,
): OpenedCredential {
  const fail = (detail: string): OpenedCredential => ({
    ...credential,
    problem: `The secret of the credential ${credential.name} could not be read. ${detail}`,
  });
  if (!found.ok) return fail(found.detail);
  const { value: secret } = found;
  return /[\r\n]/.test(secret) && credential.type !== "mutualTls"
    ? fail(`The value of ${name} is not one line.`)
    : { ...credential, secret };
}
