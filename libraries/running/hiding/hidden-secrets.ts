import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { redactAttempt, redactVerification } from "./redacted-attempt.ts";

/** An attempt, or a request that is not judged. */
export type SomeAttempt = Pick<Attempt, "request" | "response" | "cause">;

export interface Tried<One extends SomeAttempt = Attempt> {
  attempt: One;
  verifications: Verification[];
}

/** The attempts, unredacted. */
export interface Unhidden<One extends SomeAttempt = Attempt> {
  tries: Tried<One>[];
  /** Captures of the last attempt, by name. */
  captured: Record<string, string>;
  /** Assertions, by number, with a secret in their property: texts on these are not only the product's own. */
  filledAssertions: number[];
}

export interface Hidden<One extends SomeAttempt = Attempt> {
  tries: Tried<One>[];
  /** A capture that contains a secret is secret, whether the test says so or not: an API may echo its request. */
  secretCaptures: string[];
}

/** A captured secret is redacted in the response it came from, and in all attempts before and after. */
export function hideSecrets<One extends SomeAttempt>(
  { tries, captured, filledAssertions }: Unhidden<One>,
  secrets: KnownSecret[],
): Hidden<One> {
  const redactor = createRedactor(secrets);
  if (!redactor) return { tries, secretCaptures: [] };
  const strict: Redactor = { ...redactor, sentence: redactor.text };
  return {
    tries: tries.map(({ attempt, verifications }) => ({
      attempt: redactAttempt(attempt, filledAssertions.length > 0 ? strict : redactor),
      verifications: verifications.map((verification, number) =>
        redactVerification(verification, filledAssertions.includes(number) ? strict : redactor),
      ),
    })),
    secretCaptures: Object.keys(captured).filter((name) => redactor.sentence(captured[name]!) !== captured[name]),
  };
}
