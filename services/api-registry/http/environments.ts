import type { Environment } from "#contracts/api-registry/environments.ts";
import { Problem } from "#contracts/kit/problem.ts";
import { findApis, toApiSummary } from "../store/apis.ts";
import { listBaseUrls, listEnvironments, listEnvironmentsByApi, replaceEnvironments } from "../store/environments.ts";
import { listSecrets, listSecretsByApi, replaceSecrets, shared } from "../store/secret-variables.ts";
import { lockVariables, readVariables } from "../store/variables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi, toApiEvent } from "./context.ts";
import { listSecretVariables, requireMayRefer } from "./secret-variables.ts";
import { auditedVariables } from "./variables.ts";

type EnvironmentHandlers = Pick<
  RegistryHandlers,
  "listBaseUrls" | "listRunnableApis" | "listEnvironments" | "replaceEnvironments"
>;

export function createEnvironmentHandlers(context: RegistryContext): EnvironmentHandlers {
  const { db, publisher, secrets } = context;
  return {
    listBaseUrls: async ({ caller }) => ({ items: await listBaseUrls(db, caller.organizationId) }),

    async listRunnableApis({ body: { items } }) {
      const rows = await findApis(db, items);
      const found = new Map(rows.map((row) => [row.id, row]));
      const environments = await listEnvironmentsByApi(db, [...found.keys()]);
      const stored = await listSecretsByApi(db, [...found.keys()]);
      return {
        items: items.map(({ organizationId, apiId }) => {
          const row = found.get(apiId);
          if (row?.organization_id !== organizationId) return null;
          return {
            api: toApiSummary(row),
            environments: environments.get(apiId) ?? [],
            variables: readVariables(row.variables),
            secretVariables: listSecretVariables(stored.get(apiId) ?? []),
            hasOwnServers: row.has_own_servers,
            hasSecuritySchemes: row.has_security_schemes,
          };
        }),
      };
    },

    async listEnvironments({ caller, params }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      return { items: await listEnvironments(db, api.id), nextCursor: null };
    },

    async replaceEnvironments({ caller, params, body, record }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, params.apiId);
      requireDifferentNames(body.items.map(({ name }) => name));
      await db.transaction().execute(async (transaction) => {
        const owner = { organizationId, apiId: api.id };
        // Concurrent changes wait: what is kept of each environment is what the one before stored.
        await lockVariables(transaction, owner);
        const before = await listEnvironments(transaction, api.id);
        const stored = (await listSecrets(transaction, owner)).filter(({ environment }) => environment !== shared);
        const sealed = body.items.flatMap((item, index) => {
          const given = { ...item, environment: item.name, path: `items[${index}].secretVariables` };
          requireMayRefer(caller, given, stored);
          return secrets.seal(owner, given, stored);
        });
        await replaceEnvironments(transaction, api.id, body.items);
        await replaceSecrets(transaction, owner, "environments", sealed);
        const after = await listEnvironments(transaction, api.id);
        await record(transaction, {
          id: api.id,
          before: auditedEnvironments(before),
          after: auditedEnvironments(after),
        });
        const changed = { apiId: api.id, name: api.name };
        await publisher.publish(transaction, [toApiEvent("api.changed", organizationId, changed)]);
      });
      return { items: await listEnvironments(db, api.id), nextCursor: null };
    },
  };
}

/** Values of variables may be secrets: only their names are recorded. */
export function auditedEnvironments(environments: readonly Environment[]) {
  return {
    environments: environments.map(({ name, baseUrl, locationId, ...variables }) => ({
      ...{ name, baseUrl, ...(locationId ? { locationId } : {}) },
      ...auditedVariables(variables),
    })),
  };
}

function requireDifferentNames(names: string[]): void {
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated < 0) return;
  throw new Problem("invalid_input", undefined, {
    errors: [{ path: `items[${repeated}].name`, message: "There is another environment of this name" }],
  });
}
