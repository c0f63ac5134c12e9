import type { OpenedCredential } from "#libraries/running/authorization.ts";

/** Reads secrets in this process's environment. */
export interface EnvironmentSecrets {
  /** How names begin that the operator allows; undefined where none are. */
  prefix: string | undefined;
  find(name: string): string | undefined;
}

export const noEnvironmentSecrets: EnvironmentSecrets = { prefix: undefined, find: () => undefined };

/** A credential with its secret, or with the reason why there is none. */
export function readEnvironmentSecret(
  { environmentName: name, ...credential }: OpenedCredential & { environmentName?: string | undefined },
  { prefix, find }: EnvironmentSecrets,
): OpenedCredential {
  if (name === undefined) return credential;
  const fail = (detail: string): OpenedCredential => ({
    ...credential,
    problem: `The secret of the credential ${credential.name} could not be read. ${detail}`,
  });
  if (prefix === undefined) return fail("This installation allows no secrets from the environment.");
  if (!name.startsWith(prefix)) return fail(`${name} is not allowed: names begin with ${prefix}.`);
  const secret = find(name);
  if (!secret) return fail(`The process that runs tests has no variable ${name}.`);
  return /[\r\n]/.test(secret) && credential.type !== "mutualTls"
    ? fail(`The value of ${name} is not one line.`)
    : { ...credential, secret };
}
