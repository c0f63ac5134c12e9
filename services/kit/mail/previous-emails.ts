import { z } from "zod";
import { noOrganization } from "../organization/no-organization.ts";
import type { Queue, RunningWork } from "../queue/queue.ts";

/** Queue of the previous version, which stored emails in the jobs themselves. Unused once that version is gone. */
export const getPreviousQueueName = (service: string) => `${service}-mail`;

const previousEmail = z.object({
  sealed: z.string(),
  reference: z.string().optional(),
  isForNobody: z.boolean().optional(),
});
export type PreviousEmail = z.infer<typeof previousEmail>;

export const previousSealingContext = (service: string, id: string) => ({
  organizationId: noOrganization,
  record: `${getPreviousQueueName(service)}/${id}`,
});

/**
 * Takes over emails that the previous version has queued, or still queues while both run. Its own workers don't know
 * this version's queue, and continue to deliver from theirs.
 */
export function takeOverPreviousEmails(
  { service, queue }: { service: string; queue: Queue },
  take: (id: string, email: PreviousEmail) => Promise<void>,
): RunningWork {
  return queue.work(getPreviousQueueName(service), {
    concurrency: 1,
    handle: (payload, { id }) => take(id, previousEmail.parse(payload)),
  });
}
