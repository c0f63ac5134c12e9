import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { readHistories } from "../store/histories.ts";
import { findRun } from "../store/run-list.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

/** Creates the handler of tests' recent results. */
export function createHistoryHandlers(
  db: ExecutionDatabase,
): Pick<Handlers<typeof testExecutionerContract>, "readHistories"> {
  return {
    async readHistories({ caller: { organizationId }, params: { runId }, body: { testIds } }) {
      const run = await findRun(db, organizationId, runId);
      if (!run) throw notFound("run");
      return {
        testCircleId: run.test_circle_id,
        testCircleName: run.test_circle_name,
        isWholeCircle: run.source_kind === "circle" && run.state === "finished",
        items: await readHistories(db, run, testIds),
      };
    },
  };
}
