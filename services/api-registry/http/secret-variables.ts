import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { changesReference } from "../../kit/vault/changed-references.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { findSecretErrors, retainsValue } from "../domain/secret-rules.ts";
import { environmentKey, listSecrets, type StoredSecret, shared, toSecretVariable } from "../store/secret-variables.ts";
import type { RegistryContext, RegistryHandlers } from "./context.ts";
import type { GivenVariables, Owner, SecretVariables } from "./given-variables.ts";

const getKey = (environment: string | undefined) => (environment === undefined ? shared : environmentKey(environment));

/** Those of an environment, under the name that it had. */
function listBefore({ environment, formerName }: GivenVariables, before: readonly StoredSecret[]): StoredSecret[] {
  const key = getKey(formerName ?? environment);
  return before.filter((secret) => secret.environment === key);
}

/** Secret variables are encrypted at rest, each bound to its API, environment and name. */
export function createSecretVariables(vault: Vault): SecretVariables {
  const toContext = ({ organizationId, apiId }: Owner, environment: string, name: string) => ({
    organizationId,
    record: `secret_variables/${apiId}/${environment}/${name}`,
  });
  const open: SecretVariables["open"] = (owner, { environment, name, value }) =>
    value === null ? null : vault.open(value, toContext(owner, environment, name));

  function findErrors(given: GivenVariables, before: readonly StoredSecret[]): FieldError[] {
    const own = listBefore(given, before);
    const { secretVariables, variables, path } = given;
    if (secretVariables === undefined) {
      const covered = own.find(({ name }) => Object.hasOwn(variables, name));
      if (!covered) return [];
      return [{ path: path.replace(/secretVariables$/, "variables"), message: `${covered.name} is a secret variable` }];
    }
    const storedNames = new Set(own.flatMap(({ name, value }) => (value === null ? [] : [name])));
    return findSecretErrors(secretVariables, { plainNames: new Set(Object.keys(variables)), storedNames }, path);
  }

  return {
    open,
    findErrors,
    seal(owner, given, before) {
      const errors = findErrors(given, before);
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      const environment = getKey(given.environment);
      const own = listBefore(given, before);
      const keep = (secret: StoredSecret): StoredSecret => {
        if (secret.environment === environment || secret.value === null) return { ...secret, environment };
        const value = vault.seal(open(owner, secret)!, toContext(owner, environment, secret.name));
        return { ...secret, environment, value };
      };
      if (given.secretVariables === undefined) return own.map(keep);
      const stored = new Map(own.map((secret) => [secret.name, secret]));
      return given.secretVariables.map((secret) => {
        const { name, value, reference } = secret;
        if (reference) return { environment, name, value: null, reference };
        if (retainsValue(secret)) return keep(stored.get(name)!);
        return { environment, name, value: vault.seal(value!, toContext(owner, environment, name)) };
      });
    },
  };
}

/** Without values: those of an environment, or those that all share. */
export function listSecretVariables(secrets: readonly StoredSecret[], environment?: string): SecretVariable[] {
  const key = getKey(environment);
  return secrets.filter((secret) => secret.environment === key).map(toSecretVariable);
}

/** A secret reference can be used to send the secret to any host, so setting one needs `credentials:manage`. */
export function requireMayRefer({ scopes, kind }: Identity, given: GivenVariables, before: readonly StoredSecret[]) {
  if (kind === "service" || scopes.includes("credentials:manage")) return;
  if (changesReference(given.secretVariables ?? [], listBefore(given, before)))
    throw new Problem("forbidden", "Only those who manage credentials choose where a secret is read.");
}

/** Reads values for the executioner. */
export function createOpenedSecretHandlers({
  db,
  secrets,
}: Pick<RegistryContext, "db" | "secrets">): Pick<RegistryHandlers, "openSecretVariables"> {
  return {
    async openSecretVariables({ caller: { organizationId }, body: { apiId, environment, names } }) {
      const requested = new Set(names);
      const found = new Map<string, StoredSecret>();
      // The shared ones come first: those of the environment precede them.
      for (const secret of await listSecrets(db, { organizationId, apiId })) {
        const isInUse = secret.environment === shared || secret.environment === getKey(environment ?? undefined);
        if (isInUse && requested.has(secret.name)) found.set(secret.name, secret);
      }
      return {
        items: [...found.values()].map((secret) => ({
          ...{ name: secret.name, value: secrets.open({ organizationId, apiId }, secret) },
          ...(secret.reference ? { reference: secret.reference } : {}),
        })),
      };
    },
  };
}
