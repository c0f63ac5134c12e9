import type { systemContract } from "../contract/system.ts";
import type { Handlers } from "../service/service.ts";
import type { Queue } from "./queue.ts";

/** Makes the handler that tells what waits in the queues of one service. */
export function createWaitingWorkHandlers(
  queue: Pick<Queue, "listWaiting">,
  service: string,
): Handlers<Pick<typeof systemContract, "listWaitingWork">> {
  return {
    async listWaitingWork() {
      const queues = await queue.listWaiting(`${service}-`);
      const items = queues.map(({ oldest, ...rest }) => ({ ...rest, oldestAt: oldest?.toISOString() ?? null }));
      return { items, nextCursor: null };
    },
  };
}
