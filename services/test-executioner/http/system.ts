import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { ExplainingEgress } from "#libraries/egress/egress.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { readQueueFigures } from "../store/queue-figures.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

export interface SystemParts {
  db: ExecutionDatabase;
  clock: Clock;
  egress: ExplainingEgress;
}

/** Creates the handlers of operators' requests to the executioner. */
export function createSystemHandlers({
  db,
  clock,
  egress,
}: SystemParts): Pick<Handlers<typeof testExecutionerContract>, "listWaitingWork" | "checkTarget"> {
  return {
    async listWaitingWork() {
      const { oldest, waiting, running } = await readQueueFigures(db, clock.now());
      const oldestAt = oldest?.toISOString() ?? null;
      return { items: [{ name: "test-executions", waiting, running, oldestAt }], nextCursor: null };
    },
    async checkTarget({ body }) {
      const { detail, ...check } = await egress.check(body.url);
      return { ...check, detail: detail ?? null };
    },
  };
}
