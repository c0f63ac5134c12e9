import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { raiseFences } from "../store/schedule-fences.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

export function createScheduleFenceHandlers({
  db,
  clock,
}: {
  db: ExecutionDatabase;
  clock: Clock;
}): Pick<Handlers<typeof testExecutionerContract>, "fenceSchedules"> {
  return {
    async fenceSchedules({ body }) {
      await raiseFences(db, body.schedules, clock.now());
      return undefined;
    },
  };
}
