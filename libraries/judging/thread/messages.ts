import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { ItemToJudge } from "../judge-response.ts";

/** What goes to the judging thread, one message an item. */
export interface JudgingMessage {
  /** From 1: 0 is no item. */
  id: number;
  item: ItemToJudge;
  /** By its key. The text (JSON) comes along until the thread knows it, so that its schemas are compiled once. */
  operation?: { key: string; text?: string };
  /** Keys of operations that won't be named again without their text. */
  forgotten: string[];
  /** Evaluations that were stopped before and are not tried again. */
  abandoned: number[];
}

/** What comes back. */
export interface JudgedMessage {
  id: number;
  judgement: Judgement;
}

/** Longest time for one evaluation. */
export const evaluationMilliseconds = 250;
/** Longest time for compiling the schemas of an operation, which is done once. */
export const compilingMilliseconds = 3_000;
/** Loading the modules, on a machine that is busy. */
export const startMilliseconds = 30_000;
