import type { Verification } from "../../test-analyzer/contract/verifications.ts";
import type { Cause } from "../contract/attempts.ts";
import type { Verdict } from "../contract/verdicts.ts";
import { isFailure } from "./verdict.ts";

const longestReason = 500;

/** One sentence of the first thing that went wrong; null where nothing did. What is given has its secrets replaced. */
export function reasonOf(verdict: Verdict, cause: Cause | undefined, verifications: Verification[]): string | null {
  if (!isFailure(verdict)) return null;
  const failed = verifications.find(({ outcome }) => outcome === "failed");
  // A text column holds no NUL, which a response may.
  const reason = (cause?.detail ?? failed?.message)?.replaceAll("\0", "");
  if (!reason) return null;
  return reason.length > longestReason ? `${reason.slice(0, longestReason - 1)}…` : reason;
}
