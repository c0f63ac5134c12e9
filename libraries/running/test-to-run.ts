import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt, Cause } from "#contracts/test-executioner/attempts.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { Test } from "#contracts/test-registry/tests.ts";

/** A value taken from a response, as requests use it. */
export interface OpenCapture {
  name: string;
  isSecret: boolean;
  value: string;
}

/** One test to run, with all that was fixed when it was asked for. */
export interface TestToRun {
  /** Whose credentials, host rules and connections are used. */
  organizationId: string;
  test: Test;
  /** Of a test with rows: the one to run. Its values go before captures, and these before variables. */
  row?: Record<string, string>;
  /** What tests before it captured. */
  captures: OpenCapture[];
  findVariable(name: string): string | undefined;
  /** Where the test names no base URL: the first of these that is one. */
  baseUrls: (string | null | undefined)[];
  /** A person asked for it, who was asked about methods that may change something. */
  isConfirmed: boolean;
  /** The documented operation; asked for only where the test needs it. */
  findOperation(): Promise<OperationWithComponents | undefined>;
  /** Says more of names without a value than that they have none. */
  explainMissing?(names: string[]): Promise<string>;
}

/** Attempts, verifications and cause show no secret; captures are as they came. */
export interface TestResult {
  verdict: Verdict;
  cause?: Cause;
  attempts: Attempt[];
  /** Of the last attempt. */
  verifications: Verification[];
  captures: OpenCapture[];
  /** Where the request was to go; undefined when it could not be built. */
  host?: string;
  /** The credential that it carried, or for which it could not be built. */
  credentialId?: string;
  /** Of the last attempt, where it was answered. */
  statusCode: number | null;
  responseMilliseconds: number | null;
  finishedAt: Date;
}
