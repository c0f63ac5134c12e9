import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { listSecrets, replaceSecrets, shared } from "../store/secret-variables.ts";
import { lockVariables, readVariables, storeVariables } from "../store/variables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi, toApiEvent } from "./context.ts";
import { listSecretVariables, requireMayRefer } from "./secret-variables.ts";

type VariableHandlers = Pick<RegistryHandlers, "getVariables" | "replaceVariables" | "setVariables">;

interface Variables {
  variables: Record<string, string>;
  /** Omitted: the stored ones stay. */
  secretVariables?: readonly SecretVariable[] | undefined;
}

const maxVariables = 1_000;

export function createVariableHandlers(context: RegistryContext): VariableHandlers {
  const { db, publisher, secrets } = context;

  async function change(
    { caller, apiId, record }: { caller: Identity; apiId: string; record: RecordChange },
    to: (before: Required<Variables>) => Variables,
  ) {
    const api = { organizationId: caller.organizationId, apiId };
    return await db.transaction().execute(async (transaction) => {
      const found = await lockVariables(transaction, api);
      if (!found) throw notFound("API");
      const stored = (await listSecrets(transaction, api)).filter(({ environment }) => environment === shared);
      const before = { variables: found.variables, secretVariables: listSecretVariables(stored) };
      const given = { ...to(before), path: "secretVariables" };
      if (Object.keys(given.variables).length > maxVariables) {
        throw new Problem("invalid_input", undefined, {
          errors: [{ path: "variables", message: "An API has at most 1,000 variables" }],
        });
      }
      requireMayRefer(caller, given, stored);
      const sealed = secrets.seal(api, given, stored);
      await storeVariables(transaction, api, given.variables);
      await replaceSecrets(transaction, api, "shared", sealed);
      const after = { variables: given.variables, secretVariables: listSecretVariables(sealed) };
      await record(transaction, { id: apiId, before: auditedVariables(before), after: auditedVariables(after) });
      const changed = { apiId, name: found.name };
      await publisher.publish(transaction, [toApiEvent("api.changed", api.organizationId, changed)]);
      return after;
    });
  }

  return {
    async getVariables({ caller, params }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, params.apiId);
      const stored = await listSecrets(db, { organizationId, apiId: api.id });
      return { variables: readVariables(api.variables), secretVariables: listSecretVariables(stored) };
    },

    replaceVariables: ({ caller, params: { apiId }, body, record }) => change({ caller, apiId, record }, () => body),

    setVariables: ({ caller, params: { apiId }, body, record }) =>
      change({ caller, apiId, record }, (before) => mergeVariables(before, body)),
  };
}

/** Only what is named changes. A secret variable remains one, whatever value it is given. */
function mergeVariables(before: Required<Variables>, { variables, secretVariables = [] }: Variables): Variables {
  const secrets = new Map(before.secretVariables.map((secret) => [secret.name, secret]));
  const plain = { ...before.variables };
  for (const [name, value] of Object.entries(variables)) {
    if (secrets.has(name)) secrets.set(name, { name, value });
    else plain[name] = value;
  }
  for (const secret of secretVariables) {
    delete plain[secret.name];
    secrets.set(secret.name, secret);
  }
  return { variables: plain, secretVariables: [...secrets.values()] };
}

/** Values may be secrets: only names are recorded. */
export function auditedVariables({ variables, secretVariables = [] }: Variables) {
  return {
    variables: Object.keys(variables),
    ...(secretVariables.length > 0 ? { hiddenVariables: secretVariables.map(({ name }) => name) } : {}),
  };
}
