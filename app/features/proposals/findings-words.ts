import type { ProposalFindings } from "#contracts/test-registry/test-proposals.ts";

/** Whether it was shown that the proposed test can fail. */
export const canFail = ({ state, noticed }: ProposalFindings): boolean => state === "found" && noticed > 0;

/** What spoiled copies of a recorded response showed, in a sentence. */
export function findingsWords({ state, changes, noticed, setAside, missed }: ProposalFindings): string {
  if (state === "no_response")
    return "Not shown that it can fail: no response of this operation is recorded from a test that passed.";
  if (state === "not_judged") return "Not shown that it can fail: it could not be judged with a recorded response.";
  const aside = setAside > 0 ? ` ${setAside} of its expectations did not hold for that response.` : "";
  if (noticed === 0)
    return `Not shown that it can fail: it would pass with each of ${changes} spoiled copies of a recorded response.${aside}`;
  const named = missed.slice(0, 3).join(", ");
  const misses = changes > noticed ? `; it would miss ${changes - noticed}, such as: ${named}` : "";
  return `It can fail: it notices ${noticed} of ${changes} ways to spoil a recorded response${misses}.${aside}`;
}
