import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { href } from "~/href";

/** Where one reads what a member of a run sent, got and was judged by. */
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
