import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { type EnvironmentSecrets, findEnvironmentSecret, noEnvironmentSecrets } from "../domain/environment-secrets.ts";

export interface ReadSecretVariables {
  /** As secret captures, or why one of them can't be read. */
  captures: OpenCapture[];
  unavailable?: string;
}

/** Reads the named variables where their values are, when a test uses them. */
export type SecretVariableLookup = (
  organizationId: string,
  references: Readonly<Record<string, SecretReference>>,
) => Promise<ReadSecretVariables>;

/** Long enough for the tests of one run to share one call. */
export const cachedForRuns = 1_000;

type Read = { ok: true; value: string } | { ok: false; detail: string };

/** Creates the lookup of secret variables in Vault, by security-service, and in this process's environment. */
export function createSecretVariableLookup(
  securityService: Connect<typeof securityServiceContract>,
  serviceToken: IssueServiceToken,
  environmentSecrets: EnvironmentSecrets = noEnvironmentSecrets,
): SecretVariableLookup {
  const read = new Cache<Promise<Read>>({ maxSize: 1_000, maxAgeMilliseconds: cachedForRuns });

  async function readVault(organizationId: string, location: { path: string; key: string }): Promise<Read> {
    const client = securityService({ token: await serviceToken(organizationId) });
    const { value, detail } = requireValue(await client.readVaultSecret({ body: location }), "a secret variable");
    return value === null ? { ok: false, detail } : { ok: true, value };
  }

  async function readOne(organizationId: string, reference: SecretReference): Promise<Read> {
    if (reference.kind === "environment") return findEnvironmentSecret(reference.name, environmentSecrets);
    const { path, key } = reference;
    const name = JSON.stringify([organizationId, path, key]);
    const known = read.get(name);
    if (known) return await known;
    const reading = readVault(organizationId, { path, key });
    read.set(name, reading);
    reading.catch(() => read.delete(name));
    return await reading;
  }

  return async (organizationId, references) => {
    const captures: OpenCapture[] = [];
    for (const [name, reference] of Object.entries(references)) {
      const found = await readOne(organizationId, reference);
      if (!found.ok)
        return { captures: [], unavailable: `The secret variable ${name} could not be read. ${found.detail}` };
      captures.push({ name, value: found.value, isSecret: true });
    }
    return { captures };
  };
}
