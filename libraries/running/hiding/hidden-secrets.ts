import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { redactAttempt, redactVerification } from "./redacted-attempt.ts";

/** An attempt, or one that nobody judges. */
export type SomeAttempt = Pick<Attempt, "request" | "response" | "cause">;

export interface Tried<One extends SomeAttempt = Attempt> {
  attempt: One;
  verifications: Verification[];
}

/** What was tried, as it came, secrets included. */
export interface Unhidden<One extends SomeAttempt = Attempt> {
  tries: Tried<One>[];
  /** What the last try captured, by name. */
  captured: Record<string, string>;
  /** Assertions, by number, into whose property a secret was filled: what is said of them is not ours alone. */
  filledAssertions: number[];
}

export interface Hidden<One extends SomeAttempt = Attempt> {
  tries: Tried<One>[];
  /** What holds a secret is one, whether the test says so or not: an API may echo what it was sent. */
  secretCaptures: string[];
}

/** A secret goes from the very response it was captured from, and from what was tried before and after. */
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
