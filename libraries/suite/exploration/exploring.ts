import type { ExploredOperation, Finding } from "#contracts/test-executioner/explorations.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { OpenCapture, TestResult } from "#libraries/running/test-to-run.ts";
import type { PlanInput } from "../plan/known.ts";

/** One request to send, as a test. */
export interface Asked {
  test: TestInput;
  /** What earlier calls captured, and values that were generated for this one. */
  captures: OpenCapture[];
  /** What it may change, as in a run that changes only what it made. */
  effect: MemberEffect | undefined;
}

export type Called = Pick<TestResult, "attempts" | "verifications" | "captures" | "verdict" | "cause" | "statusCode">;

/** Sends a request through the engine, with its pace, its credentials and its guards. */
export type Call = (asked: Asked) => Promise<Called>;

export interface ExploreOptions {
  /** 32 bits. The same seed, document and server give the same findings. */
  seed: number;
  maxRequests: number;
  /** Whether it also makes, changes and deletes what it made itself. */
  changes: boolean;
  call: Call;
  /** Ends it: what it made is removed with a few more calls. */
  signal: AbortSignal;
  /** Called after each request. */
  onProgress(progress: Progress): void;
  /** Called with each cause once, and again where it is seen at another operation. */
  onFinding(finding: Finding): void;
}

export interface Progress {
  requests: number;
  operations: readonly ExploredOperation[];
}

export interface Explored extends Progress {
  /** Whether everything was tried; otherwise `maxRequests` or the signal ended it. */
  isComplete: boolean;
  findings: Finding[];
}

/** Explores the wanted operations of a document; see `PlanInput`. */
export type Explore = (input: PlanInput, options: ExploreOptions) => Promise<Explored>;
