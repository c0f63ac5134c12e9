import { z } from "zod";
import { noOrganization } from "../organization/no-organization.ts";
import type { Queue, RunningWork } from "../queue/queue.ts";

/** Where the version before kept letters: in the jobs themselves. Nothing puts any there once none of it runs. */
export const earlierQueueOf = (service: string) => `${service}-mail`;

const earlierLetter = z.object({
  sealed: z.string(),
  reference: z.string().optional(),
  isForNobody: z.boolean().optional(),
});
export type EarlierLetter = z.infer<typeof earlierLetter>;

export const earlierPlace = (service: string, id: string) => ({
  organizationId: noOrganization,
  record: `${earlierQueueOf(service)}/${id}`,
});

/**
 * Takes over letters that the version before has queued or, beside this one, goes on queueing. Its own workers know
 * nothing of this version's queue, and deliver from theirs meanwhile.
 */
export function takeOverEarlierLetters(
  { service, queue }: { service: string; queue: Queue },
  take: (id: string, letter: EarlierLetter) => Promise<void>,
): RunningWork {
  return queue.work(earlierQueueOf(service), {
    concurrency: 1,
    handle: (payload, { id }) => take(id, earlierLetter.parse(payload)),
  });
}
