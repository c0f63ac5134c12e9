import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { ItemToJudge } from "../judge-response.ts";

export interface BatchItem {
  item: ItemToJudge;
  /** Into `operations` of the batch. */
  operation?: number;
}

/** What goes to the judging thread: one message a batch. */
export interface Batch {
  /** As JSON: copied as a block, and parsed only when the thread has not seen the same text before. */
  operations: string[];
  items: BatchItem[];
  /** Evaluations not to try again, by item. */
  abandoned: [item: number, tasks: number[]][];
}

/** What comes back, one message an item. */
export interface JudgedItem {
  item: number;
  judgement: Judgement;
}

/** Longest time for one evaluation. */
export const evaluationMilliseconds = 250;
/** Longest time for compiling the schemas of an operation, which is done once. */
export const compilingMilliseconds = 3_000;
