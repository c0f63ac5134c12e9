import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { ApiSurroundings, RunSurroundings } from "../store/surroundings.ts";
import { cachedForRuns, type ReadSecretVariables, type SecretVariableLookup } from "./secret-variables.ts";

/** An API and the environment whose variables are in use. */
export type SecretOwner = Pick<ApiSurroundings, "apiId" | "environment"> & { organizationId: string };

/** Reads secret variables of an API and its environment when a request uses them. */
export type ApiSecretLookup = (
  owner: SecretOwner,
  names: readonly string[],
  /** Reads what is not stored in the portal; by this process if undefined. */
  readReferences?: SecretVariableLookup,
) => Promise<ReadSecretVariables>;

interface Opened {
  name: string;
  value: string | null;
  reference?: SecretReference | undefined;
}

export function createApiSecretLookup(
  apiRegistry: Connect<typeof apiRegistryContract>,
  serviceToken: IssueServiceToken,
  readHere: SecretVariableLookup,
): ApiSecretLookup {
  const opened = new Cache<Promise<Opened[]>>({ maxSize: 1_000, maxAgeMilliseconds: cachedForRuns });

  async function open({ organizationId, apiId, environment }: SecretOwner, names: string[]): Promise<Opened[]> {
    const client = apiRegistry({ token: await serviceToken(organizationId) });
    const response = await client.openSecretVariables({ body: { apiId, environment, names } });
    return requireValue(response, "secret variables").items;
  }

  return async (owner, names, readReferences = readHere) => {
    if (names.length === 0) return { captures: [] };
    const sorted = [...names].sort();
    const key = JSON.stringify([owner.organizationId, owner.apiId, owner.environment, sorted]);
    const opening = opened.get(key) ?? open(owner, sorted);
    opened.set(key, opening);
    opening.catch(() => opened.delete(key));
    const found = await opening;
    const deleted = sorted.find((name) => !found.some((one) => one.name === name));
    if (deleted !== undefined)
      return {
        captures: [],
        unavailable: `The secret variable ${deleted} was deleted after the run started.`,
      };
    const references = found.flatMap(({ name, reference }) => (reference ? [[name, reference] as const] : []));
    const read = await readReferences(owner.organizationId, Object.fromEntries(references));
    if (read.unavailable) return read;
    const stored = found.flatMap(({ name, value }): OpenCapture[] =>
      value === null ? [] : [{ name, value, isSecret: true }],
    );
    return { captures: [...stored, ...read.captures] };
  };
}

/**
 * Names whose values a request may use.
 * @param row precedes captures and variables; its values may use these
 */
export function listUsedNames(request: object, row: Readonly<Record<string, string>> = {}): Set<string> {
  const own = listPlaceholders(JSON.stringify(request)).filter((name) => !Object.hasOwn(row, name));
  return new Set([...own, ...Object.values(row).flatMap((text) => listPlaceholders(text))]);
}

/**
 * The secret variables of the API that a test uses, unless something precedes them. A value that the run gives for such a
 * name is a secret, too.
 */
export async function readApiSecrets(
  read: ApiSecretLookup,
  owner: SecretOwner,
  {
    used,
    run,
    secretVariables = [],
    captures,
  }: Pick<ApiSurroundings, "secretVariables"> & {
    used: ReadonlySet<string>;
    run?: Pick<RunSurroundings, "variables" | "secretReferences">;
    captures: readonly Pick<OpenCapture, "name">[];
  },
): Promise<ReadSecretVariables> {
  const { variables = {}, secretReferences = {} } = run ?? {};
  const isPreceded = new Set([...captures.map(({ name }) => name), ...Object.keys(secretReferences)]);
  const names = secretVariables.filter((name) => used.has(name) && !isPreceded.has(name));
  const given = names.filter((name) => Object.hasOwn(variables, name));
  const found = await read(
    owner,
    names.filter((name) => !Object.hasOwn(variables, name)),
  );
  if (found.unavailable) return found;
  const ofRun = given.map((name) => ({ name, value: variables[name]!, isSecret: true }));
  return { captures: [...ofRun, ...found.captures] };
}
