import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";
import { isFailure } from "./verdict.ts";

const longestReason = 500;

/**
 * The sentence that lists, runs, incidents, alerts and reports display: the first failure, and the number of others.
 * Null without failures. Secrets in the arguments must be redacted.
 */
export function getReason(verdict: Verdict, cause: Cause | undefined, verifications: Verification[]): string | null {
  if (!isFailure(verdict)) return null;
  const [first, ...others] = cause ? [cause.detail] : listBroken(verifications);
  // A text column can't contain NUL, which a response may.
  const reason = first?.replaceAll("\0", "");
  if (!reason) return null;
  const more = others.length > 0 ? `, +${others.length} more.` : "";
  if (!more && reason.length <= longestReason) return reason;
  const max = longestReason - more.length;
  const said = more ? reason.replace(/\.$/, "") : reason;
  return (said.length > max ? `${said.slice(0, max - 1)}…` : said) + more;
}

/** A sentence for each failed verification; an assertion and a check may find the same problem. */
function listBroken(verifications: Verification[]): string[] {
  const sentences = verifications
    .filter(({ outcome }) => outcome === "failed")
    .flatMap(({ message, schemaErrors = [] }) =>
      schemaErrors.length > 0 ? schemaErrors.map((error) => error.message) : [message],
    );
  return [...new Set(sentences)];
}
