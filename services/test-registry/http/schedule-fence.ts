import { Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { lockCircle } from "../store/circles.ts";
import { listVersionsOfCircle, lockVersionsOfCircle } from "../store/schedules.ts";
import type { TestDatabase, TestTransaction } from "../store/tables.ts";

interface Caller {
  organizationId: string;
  requestId: string;
}

export type ScheduleFence = ReturnType<typeof createScheduleFence>;

/**
 * Before a change of a schedule is committed, the executioner is instructed to start nothing by its versions so far, so
 * a scheduler that has read one of them comes too late. If the change is then not committed, the scheduler increments
 * the version.
 */
export function createScheduleFence({
  db,
  testExecutioner,
  serviceToken,
}: {
  db: TestDatabase;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}) {
  async function raise({ organizationId, requestId }: Caller, schedules: { id: string; version: number }[]) {
    if (schedules.length === 0) return;
    const client = testExecutioner({ token: await serviceToken(organizationId), requestId });
    const body = { schedules: schedules.map(({ id, version }) => ({ scheduleId: id, version: version + 1 })) };
    const raised = await client.fenceSchedules({ body });
    if (raised.ok) return;
    const { code, detail, service } = raised.problem;
    throw new Problem(code, detail, { service, retryAfterSeconds: raised.retryAfterSeconds });
  }

  return {
    raise,

    /**
     * Changes or deletes a circle once none of its schedules can start anything; until then the circle and its
     * schedules are locked.
     */
    async changeCircle<Result>(
      caller: Caller,
      testCircleId: string,
      change: (transaction: TestTransaction) => Promise<Result>,
    ): Promise<Result> {
      const { organizationId } = caller;
      for (;;) {
        const fenced = await listVersionsOfCircle(db, organizationId, testCircleId);
        await raise(caller, fenced);
        const done = await db.transaction().execute(async (transaction) => {
          await lockCircle(transaction, { organizationId, testCircleId });
          const found = await lockVersionsOfCircle(transaction, organizationId, testCircleId);
          // Another change of one of them came first.
          if (JSON.stringify(found) !== JSON.stringify(fenced)) return undefined;
          return { result: await change(transaction) };
        });
        if (done) return done.result;
      }
    },
  };
}
