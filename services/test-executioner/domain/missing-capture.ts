import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { RunOrder } from "#contracts/test-executioner/runs.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { MissingNames } from "#libraries/running/test-to-run.ts";
import { handsOn } from "./handing-on.ts";

/** A member of the same run whose test captures the missing name. */
export interface CapturingMember {
  position: number;
  phase: CirclePhase;
  testName: string;
  method: string;
  path: string;
  /** Whether its capture may find nothing. */
  isOptional: boolean;
  state: "queued" | "running" | "finished" | "cancelled";
  verdict: Verdict | null;
  reason: string | null;
  statusCode: number | null;
}

/** Which member should have captured a name, and its outcome. */
export function explainMissing(
  name: string,
  own: { position: number; order: RunOrder },
  capturing: CapturingMember[],
): string {
  const before = capturing.findLast(({ position, phase }) => position < own.position && handsOn(own, phase));
  const member =
    before ??
    capturing.findLast(({ position }) => position < own.position) ??
    capturing.find(({ position }) => position > own.position);
  if (!member) return `{{${name}}} has no value. Set it in the environment, the run or the test's rows.`;
  const subject = `member ${member.position}, "${member.testName}",`;
  if (!handsOn(own, member.phase)) {
    return `{{${name}}} has no value: ${subject} captures it, but what runs in parallel hands nothing on.`;
  }
  if (!before) return `{{${name}}} has no value: ${subject} captures it, but runs after this one.`;
  return `{{${name}}} has no value: ${subject} should have captured it and ${getEnd(member)}`;
}

/**
 * Why nothing is there to remove: members before should have captured the name, and none of them got a 2xx. Undefined if
 * one did, since something may be there then, and if none captures it.
 */
export function explainNeverMade(
  name: string,
  own: { position: number; order: RunOrder },
  capturing: CapturingMember[],
): string | undefined {
  const before = capturing.filter(({ position, phase }) => position < own.position && handsOn(own, phase));
  const last = before.at(-1);
  const mayBeThere = before.some(({ statusCode }) => statusCode !== null && statusCode >= 200 && statusCode < 300);
  if (!last || mayBeThere) return undefined;
  return `Nothing to remove: {{${name}}} was never created. Member ${last.position}, "${last.testName}", ${getEnd(last)}`;
}

/**
 * Why a test has nothing to use: the last member before that should have captured the name may find nothing, and did.
 * Undefined if its capture is not optional, and if none captures it.
 */
export function explainAbsent(
  name: string,
  own: { position: number; order: RunOrder },
  capturing: CapturingMember[],
): string | undefined {
  const last = capturing.findLast(({ position, phase }) => position < own.position && handsOn(own, phase));
  if (!last?.isOptional) return undefined;
  const call = `${last.method.toUpperCase()} ${last.path}`;
  const hasPassed = last.verdict === "passed" || last.verdict === "flaky";
  return `{{${name}}} has no value: ${hasPassed ? `the response to ${call} has none.` : `${call} ${getEnd(last)}`}`;
}

/** Says something of each name, with the members of the run that capture it. */
export type Explain = <Sentence>(
  names: string[],
  say: (name: string, own: { position: number; order: RunOrder }, capturing: CapturingMember[]) => Sentence,
) => Promise<Sentence[]>;

/** Why a member has nothing to do without these values; undefined if it has. */
export async function explainNothingToDo(
  { all, identifying }: MissingNames,
  phase: CirclePhase,
  explain: Explain,
): Promise<Cause | undefined> {
  const neverMade = phase === "tearDown" ? (await explain(identifying, explainNeverMade)).find(Boolean) : undefined;
  if (neverMade) return { code: "nothing_to_remove", detail: neverMade };
  const absent = (await explain(all, explainAbsent)).find(Boolean);
  return absent ? { code: "nothing_to_use", detail: absent } : undefined;
}

function getEnd({ state, verdict, reason, isOptional }: CapturingMember): string {
  if (state === "cancelled") return "was cancelled.";
  if (isOptional && verdict === "passed") return "passed: its response has none.";
  if (verdict === "passed" || verdict === "flaky")
    return "passed, but did not find it in its response, or it was longer than 100,000 characters (16,384 for a secret).";
  if (verdict === "skipped") return "was not run.";
  const words = { failed: "failed", errored: "ended with an error", blocked: "was blocked" };
  if (verdict === null || verdict === "regional") return "has not ended.";
  return reason ? `${words[verdict]}: ${reason}` : `${words[verdict]}.`;
}
