import { isDeepStrictEqual } from "node:util";
import type { KnownEnvironment } from "#contracts/api-registry/imports.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";

/** A secret variable as it is stored. */
interface SealedVariable {
  environment: string;
  name: string;
  value: string | null;
  reference?: SecretReference;
}

export interface SealedEnvironment {
  name: string;
  baseUrl: string;
  variables: Record<string, string>;
  /** Null: the portal's own. */
  locationId: string | null;
  secrets: SealedVariable[];
}

/** Variables of an API and of its environments, secrets sealed. */
export interface ApiSettings {
  variables: Record<string, string>;
  secrets: SealedVariable[];
  environments: SealedEnvironment[];
}

/** What an import added to an API, and the environments that it replaced. */
export interface TakenImport {
  apiId: string;
  isNewApi: boolean;
  variables: Record<string, string>;
  secrets: SealedVariable[];
  environments: { before: SealedEnvironment | null; after: SealedEnvironment }[];
}

/** Whether an environment is what an import was planned with. */
export function isAsPlanned(stored: SealedEnvironment | undefined, planned: KnownEnvironment | null): boolean {
  if (!stored || !planned) return !stored && !planned;
  const { name, baseUrl, variables } = stored;
  const secretNames = stored.secrets.map((secret) => secret.name).sort();
  return isDeepStrictEqual(
    { name, baseUrl, variables, secretNames },
    { ...planned, secretNames: [...planned.secretNames].sort() },
  );
}

/** The settings without what an import brought. What was changed since stays. */
export function takeBack(now: ApiSettings, taken: TakenImport): ApiSettings {
  const isTaken = ({ name, value }: { name: string; value: string }) =>
    Object.hasOwn(taken.variables, name) && taken.variables[name] === value;
  const variables = Object.entries(now.variables).filter(([name, value]) => !isTaken({ name, value }));
  const secrets = now.secrets.filter((one) => !taken.secrets.some((other) => isDeepStrictEqual(one, other)));
  const environments = now.environments.flatMap((one) => {
    const change = taken.environments.find(({ after }) => isDeepStrictEqual(one, after));
    if (!change) return [one];
    return change.before ? [change.before] : [];
  });
  return { variables: Object.fromEntries(variables), secrets, environments };
}
