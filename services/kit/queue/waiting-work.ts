import type { systemContract } from "#contracts/kit/system.ts";
import type { Handlers } from "../service/service.ts";
import type { Queue } from "./queue.ts";

/**
 * Creates the handler that reports the waiting work in one service's queues.
 * @param since by queue name, the time since which its oldest work waits, for queues whose rows record it
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
        queues.map(async (counts) => {
          const oldest = counts.waiting > 0 ? await since[counts.name]?.() : null;
          return { ...counts, oldestAt: oldest?.toISOString() ?? null };
        }),
      );
      return { items, nextCursor: null };
    },
  };
}
