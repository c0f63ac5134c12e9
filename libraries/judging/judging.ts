import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import { isCostly, isLarge } from "./cost.ts";
import { type ItemToJudge, judgeResponse, noEvaluators } from "./judge-response.ts";
import type { JudgedOperation } from "./judged-response.ts";
import { type Batch, JudgingThread } from "./thread/judging-thread.ts";

export interface ToJudge {
  item: ItemToJudge;
  operation: JudgedOperation | undefined;
  /** Owners take turns while items wait for the thread. */
  owner?: string;
}

export interface Judging {
  judge(toJudge: ToJudge): Promise<Judgement>;
  /** Results in the given order, in bounded time for any input. */
  judgeAll(items: ToJudge[]): Promise<Judgement[]>;
  /** Starts the thread before the first costly item, for a program that has many. */
  prepare(): void;
  stop(): void;
}

/**
 * Judges cheap items immediately and the rest in a thread with a time limit. The thread starts with the first costly
 * item, since many installations never need it.
 */
export function createJudging(): Judging {
  const thread = new JudgingThread({ heapMebibytes: 512, maxSent: 2 });
  /** One at a time, so that their number costs time and no memory; the others do not wait for them. */
  const largeBodies = new JudgingThread({ heapMebibytes: 1_024, maxSent: 1, restMilliseconds: 2_000 });

  async function judgeOne({ item, operation, owner = "" }: ToJudge, batch: Batch): Promise<Judgement> {
    if (!isCostly(item, operation)) return judgeResponse(item, operation, noEvaluators);
    return await (isLarge(item) ? largeBodies : thread).judge({ owner, item: withoutSentBody(item), operation, batch });
  }

  return {
    judge: (toJudge) => judgeOne(toJudge, { stops: 0 }),
    judgeAll(items) {
      const batch = { stops: 0 };
      return Promise.all(items.map((toJudge) => judgeOne(toJudge, batch)));
    },
    prepare: () => thread.prepare(),
    stop() {
      thread.stop();
      largeBodies.stop();
    },
  };
}

/** Only one check reads the sent body, so that otherwise it is not copied. */
function withoutSentBody(item: ItemToJudge): ItemToJudge {
  if (item.checks.includes("negative_data_rejection")) return item;
  return item.request ? { ...item, request: { ...item.request, body: null } } : item;
}
