import type { TestProposal } from "#contracts/test-registry/test-proposals.ts";
import { describeDifferences } from "~/features/proposals/describe-differences";
import { canFail, findingsWords } from "~/features/proposals/findings-words";

/** A proposal compared with the test as it is now. */
export function toDisplayedProposal(proposal: TestProposal) {
  const { id, test, testId, testVersion, current, reason, findings, proposedBy, createdAt } = proposal;
  return {
    ...{ id, testId, reason, proposedBy, createdAt },
    name: current?.name ?? test.name,
    operation: `${test.method.toUpperCase()} ${test.path}`,
    /** The version that is compared, and accepted only while it is the newest. */
    version: current?.version ?? null,
    isStale: current !== null && current.version !== testVersion,
    canFail: canFail(findings),
    findings: findingsWords(findings),
    differences: describeDifferences(current, test),
  };
}

export type DisplayedProposal = ReturnType<typeof toDisplayedProposal>;
