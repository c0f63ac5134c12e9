import type { systemContract } from "#contracts/kit/system.ts";
import type { Handlers } from "../service/service.ts";
import type { Queue } from "./queue.ts";

/**
 * Makes the handler that tells what waits in the queues of one service.
 * @param since by the name of a queue, since when the oldest of what it is to do waits, where rows of ours know
 */
export function createWaitingWorkHandlers(
  queue: Pick<Queue, "listWaiting">,
  service: string,
  since: Record<string, () => Promise<Date | null>>,
): Handlers<Pick<typeof systemContract, "listWaitingWork">> {
  return {
    async listWaitingWork() {
      const queues = await queue.listWaiting(`${service}-`);
      const items = await Promise.all(
        queues.map(async (told) => {
          const oldest = told.waiting > 0 ? await since[told.name]?.() : null;
          return { ...told, oldestAt: oldest?.toISOString() ?? null };
        }),
      );
      return { items, nextCursor: null };
    },
  };
}
