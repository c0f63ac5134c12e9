import { Problem } from "#contracts/kit/problem.ts";
import { chooseEnvironment, findChosenEnvironment } from "../store/chosen-environments.ts";
import { listEnvironments } from "../store/environments.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";

type ChosenEnvironmentHandlers = Pick<RegistryHandlers, "getChosenEnvironment" | "chooseEnvironment">;

export function createChosenEnvironmentHandlers(context: RegistryContext): ChosenEnvironmentHandlers {
  const { db } = context;
  return {
    async getChosenEnvironment({ caller, params }) {
      const { id } = await requireApi(context, caller.organizationId, params.apiId);
      return { environment: (await findChosenEnvironment(db, { apiId: id, userId: caller.userId })) ?? null };
    },

    async chooseEnvironment({ caller, params, body }) {
      const { id } = await requireApi(context, caller.organizationId, params.apiId);
      const chosen = (await listEnvironments(db, id)).find(({ name }) => name === body.environment);
      if (body.environment !== null && !chosen) {
        throw new Problem("invalid_input", undefined, {
          errors: [{ path: "environment", message: "This API has no such environment" }],
        });
      }
      await chooseEnvironment(db, { apiId: id, userId: caller.userId }, body.environment);
      return { environment: chosen ? { name: chosen.name, baseUrl: chosen.baseUrl } : null };
    },
  };
}
