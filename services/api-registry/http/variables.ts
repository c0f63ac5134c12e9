import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import { changeVariables, readVariables } from "../store/variables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi, toApiEvent } from "./context.ts";

type VariableHandlers = Pick<RegistryHandlers, "getVariables" | "replaceVariables" | "setVariables">;

const maxVariables = 1_000;

export function createVariableHandlers(context: RegistryContext): VariableHandlers {
  const { db, publisher } = context;

  async function change(
    api: { organizationId: string; apiId: string },
    record: RecordChange,
    to: (before: Record<string, string>) => Record<string, string>,
  ) {
    return await db.transaction().execute(async (transaction) => {
      const changed = await changeVariables(transaction, api, to);
      if (!changed) throw notFound("API");
      const { name, before, after } = changed;
      if (Object.keys(after).length > maxVariables) {
        throw new Problem("invalid_input", undefined, {
          errors: [{ path: "variables", message: "An API has at most 1,000 variables" }],
        });
      }
      await record(transaction, { id: api.apiId, before: audited(before), after: audited(after) });
      await publisher.publish(transaction, [toApiEvent("api.changed", api.organizationId, { apiId: api.apiId, name })]);
      return { variables: after };
    });
  }

  return {
    async getVariables({ caller, params }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      return { variables: readVariables(api.variables) };
    },

    replaceVariables: ({ caller: { organizationId }, params: { apiId }, body, record }) =>
      change({ organizationId, apiId }, record, () => body.variables),

    setVariables: ({ caller: { organizationId }, params: { apiId }, body, record }) =>
      change({ organizationId, apiId }, record, (before) => ({ ...before, ...body.variables })),
  };
}

/** Values may be secrets: only their names are recorded. */
function audited(variables: Record<string, string>) {
  return { variables: Object.keys(variables) };
}
