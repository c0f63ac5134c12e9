import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { href } from "~/href";

/** The page with the request, response and verifications of a run's member. */
export function executionAddress({
  apiId,
  testId,
  executionId,
}: Pick<RunMember, "apiId" | "testId" | "executionId">): string {
  return href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/verifications", {
    apiId,
    testId,
    testExecutionId: executionId,
  });
}
