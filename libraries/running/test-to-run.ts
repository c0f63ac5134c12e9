import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { CapturedType, Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt, Cause } from "#contracts/test-executioner/attempts.ts";
import type { ExecutionVerdict } from "#contracts/test-executioner/verdicts.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Test } from "#contracts/test-registry/tests.ts";

/** A value taken from a response, as requests use it. */
export interface OpenCapture {
  name: string;
  isSecret: boolean;
  /** The characters of a string, or JSON text. */
  value: string;
  /** Absent for text that has no JSON type, such as a header's. */
  type?: CapturedType;
  /** It identifies something that this run made, at this origin. */
  madeAt?: string;
  /** A variable that the run generated with a UUID: nothing that existed before has this value. */
  isUnique?: boolean;
  /** An optional capture that found nothing: its name has no value, and `value` is empty. */
  isAbsent?: boolean;
}

/** For a run that may change only what it made. */
export interface OnlyOwn {
  effect?: MemberEffect;
  /** Where a variable comes from, such as "comes from the environment.". */
  describeVariable?(name: string): string;
}

/** Cookies of a run whose responses set none so far. */
export const noCookies = '{"cookies":[]}';

/** Names without a value, for which a test was not built. */
export interface MissingNames {
  all: string[];
  /** Those in its path, query and body: without a header's, something may be there all the same. */
  identifying: string[];
}

/** One test to run, with everything fixed at its request. */
export interface TestToRun {
  /** Whose credentials, host rules and connections are used. */
  organizationId: string;
  test: Test;
  /** For a test with rows: the one to run. Its values precede captures, and these precede variables. */
  row?: Record<string, string>;
  /** From earlier tests, and secret variables. */
  captures: OpenCapture[];
  /** Why a secret that the test uses can't be read, as a sentence: nothing is sent. */
  unavailableSecret?: string | undefined;
  /** Cookies of the run so far, if it has a cookie jar. */
  cookies?: string;
  findVariable(name: string): string | undefined;
  /** If the test has no base URL: the first non-empty one of these, unless the operation has servers of its own. */
  baseUrls: (string | null | undefined)[];
  /** Whether the API has operations with servers of their own; unknown if absent. */
  hasOwnServers?: boolean | undefined;
  /** Requested by a user, who confirmed methods that may change something. */
  isConfirmed: boolean;
  /**
   * Whether the document has security schemes. If so, a test that inherits its authorization and would carry none is
   * sent only where its operation requires none.
   */
  mayRequireAuthentication?: boolean;
  /** The documented operation; called only if the test needs it. */
  findOperation(): Promise<OperationWithComponents | undefined>;
  /** Sent in the header `traceparent` to hosts whose rules allow it. */
  traceId?: string;
  /** Set if the run may change only what it made. */
  onlyOwn?: OnlyOwn;
  /** Adds to the explanation of names without a value. */
  explainMissing?(names: string[]): Promise<string>;
  /** Why a test is skipped for want of these values; undefined if it ends errored. */
  explainNothingToDo?(missing: MissingNames): Promise<Cause | undefined>;
}

/** Attempts, verifications and cause contain no secret; captures are unredacted. */
export interface TestResult {
  verdict: ExecutionVerdict;
  cause?: Cause;
  /** Of a test that waits: the first and the last ones. */
  attempts: Attempt[];
  attemptCount: number;
  /** Of a test that waits: from the start of its first try to the end of its last. */
  waitedMilliseconds?: number;
  /** Of the last attempt. */
  verifications: Verification[];
  captures: OpenCapture[];
  /** With the cookies that its responses set; undefined if they set none. */
  cookies?: string;
  /** Target host of the request; undefined when it could not be built. */
  host?: string;
  /** The credential that it carried, or for which it could not be built. */
  credentialId?: string;
  /** Of the last attempt, if it had a response. */
  statusCode: number | null;
  responseMilliseconds: number | null;
  /** Part of it: until the request was sent. */
  sendingMilliseconds: number | null;
  finishedAt: Date;
}
