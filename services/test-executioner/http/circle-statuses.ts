import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { listCircleStatuses } from "../store/circle-statuses.ts";
import { pageOfLatestCircleRuns } from "../store/latest-circle-runs.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

export function createCircleStatusHandlers(
  db: ExecutionDatabase,
): Pick<Handlers<typeof testExecutionerContract>, "listCircleStandings" | "listLatestCircleRuns"> {
  return {
    async listCircleStandings({ caller, query }) {
      return { items: await listCircleStatuses(db, caller.organizationId, query.testCircleIds) };
    },
    async listLatestCircleRuns({ caller, query }) {
      return await pageOfLatestCircleRuns(db, caller.organizationId, query);
    },
  };
}
