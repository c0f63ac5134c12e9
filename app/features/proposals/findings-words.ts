import type { ProposalFindings } from "#contracts/test-registry/test-proposals.ts";

/** Whether it was shown that the proposed test can fail. */
export const canFail = ({ state, noticed }: ProposalFindings): boolean => state === "found" && noticed > 0;

/** What spoiled copies of a recorded response showed, in a sentence. */
export function findingsWords({ state, changes, noticed, setAside, missed }: ProposalFindings): string {
  if (state === "no_response")
    return "Not proven to fail: there is no recorded response from a passed test of this operation.";
  if (state === "not_judged") return "Not proven to fail: it could not be evaluated against a recorded response.";
  const aside = setAside > 0 ? ` ${setAside} of its expectations failed for that response.` : "";
  if (noticed === 0)
    return `Not proven to fail: it would pass with all ${changes} altered copies of a recorded response.${aside}`;
  const named = missed.slice(0, 3).join(", ");
  const misses = changes > noticed ? `; it would miss ${changes - noticed}, such as: ${named}` : "";
  return `It can fail: it catches ${noticed} of ${changes} changes to a recorded response${misses}.${aside}`;
}
