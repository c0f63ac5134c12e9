import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import { isCostly } from "./cost.ts";
import { type ItemToJudge, judgeResponse } from "./judge-response.ts";
import type { JudgedOperation } from "./judged-response.ts";
import { noSchemas } from "./schema/schema-validator.ts";
import type { BatchItem } from "./thread/batch.ts";
import { JudgingThread } from "./thread/judging-thread.ts";

const threadCount = 2;

export interface ToJudge {
  item: ItemToJudge;
  operation: JudgedOperation | undefined;
}

export interface Judging {
  judgeAll(items: ToJudge[]): Promise<Judgement[]>;
  stop(): void;
}

/**
 * Judges what is cheap at once and the rest in threads with a time limit. Threads start with the first costly item:
 * most installations of one test never need them.
 */
export function createJudging(): Judging {
  const free: JudgingThread[] = Array.from({ length: threadCount }, () => new JudgingThread());
  const threads = [...free];
  const queue: ((thread: JudgingThread) => void)[] = [];

  async function withThread<Result>(work: (thread: JudgingThread) => Promise<Result>): Promise<Result> {
    // The one used last is the one that is warm.
    const thread = free.pop() ?? (await new Promise<JudgingThread>((resolve) => queue.push(resolve)));
    try {
      return await work(thread);
    } finally {
      const next = queue.shift();
      if (next) next(thread);
      else free.push(thread);
    }
  }

  return {
    async judgeAll(items) {
      const judgements: (Judgement | undefined)[] = [];
      const costly: number[] = [];
      for (const [index, { item, operation }] of items.entries()) {
        if (isCostly(item, operation)) costly.push(index);
        else judgements[index] = judgeResponse(item, operation, noSchemas);
      }
      if (costly.length === 0) return judgements as Judgement[];

      const places = new Map<JudgedOperation, number>();
      const batch = costly.map((index): BatchItem => {
        const { item, operation } = items[index] as ToJudge;
        if (!operation) return { item };
        if (!places.has(operation)) places.set(operation, places.size);
        return { item, operation: places.get(operation) };
      });
      const texts = [...places.keys()].map((operation) => JSON.stringify(operation));
      const judged = await withThread((thread) => thread.judge(texts, batch));
      for (const [at, index] of costly.entries()) judgements[index] = judged[at];
      return judgements as Judgement[];
    },
    stop() {
      for (const thread of threads) thread.stop();
    },
  };
}
