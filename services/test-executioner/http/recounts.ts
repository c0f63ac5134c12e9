import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { recountExecutions, recountRuns } from "../store/recount.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** Creates the handler that repairs counts for operators. */
export function createRecountHandlers(parts: {
  db: ExecutionDatabase;
  publishFinished: PublishFinished;
}): Pick<Handlers<typeof testExecutionerContract>, "recount"> {
  return {
    async recount({ body: { organizationId }, record }) {
      const runs = await recountRuns(parts.db, organizationId, parts.publishFinished);
      return await recountExecutions(parts.db, organizationId, async (transaction, corrected) => {
        const after = {
          hours: corrected.execution_counts,
          days: corrected.day_counts,
          operations: corrected.operation_counts,
          operationVerdicts: corrected.operation_verdicts,
          lastVerdicts: corrected.last_verdicts,
          runs,
        };
        await record(transaction, { id: organizationId, organizationId, after });
        return after;
      });
    },
  };
}
