import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { ItemToJudge } from "../judge-response.ts";

/** Sent to the judging thread: items in the order in which they are judged. */
export type JudgingMessage = ItemMessage[];

export interface ItemMessage {
  /** Starts at 1: 0 means no item. */
  id: number;
  item: ItemToJudge;
  /**
   * Identified by its key. The text (JSON) is included until the thread knows it, so that its schemas are compiled
   * once.
   */
  operation?: { key: string; text?: string };
  /** Keys of operations that won't be referenced again without their text. */
  forgotten: string[];
  /** Evaluations that were stopped before and are not repeated. */
  abandoned: number[];
}

/** Returned by the judging thread: items of one message, and the time that they took. */
export interface JudgedMessage {
  judged: { id: number; judgement: Judgement }[];
  milliseconds: number;
}

/** Limit for compiling the schemas of an operation or reading markup, which happens once. */
export const compilingMilliseconds = 3_000;
/** Limit for loading the modules, sufficient for a busy machine. */
export const startMilliseconds = 30_000;
