import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { Executed } from "./judged-executions.ts";
import type { PortalBackend } from "./measured-server.ts";
import type { Member } from "./rounds.ts";

export type { Attempt };

/** What was verified of an execution, and its last attempt. */
export async function readExecution(
  { testExecutioner, testAnalyzer }: PortalBackend,
  member: Member,
): Promise<{ executed: Executed; attempt: Attempt | undefined }> {
  const params = { executionId: member.executionId };
  const [execution, verifications] = await Promise.all([
    testExecutioner.getExecution({ params }),
    testAnalyzer.listVerifications({ params }),
  ]);
  const attempt = requireValue(execution, "an execution").attempts.at(-1);
  const { method, path, verdict, statusCode, reason } = member;
  return {
    executed: {
      operation: `${method.toLowerCase()} ${path}`,
      ...{ verdict, statusCode, reason },
      bodyBytes: attempt?.response?.bodyBytes ?? 0,
      verifications: requireValue(verifications, "verifications").items,
    },
    attempt,
  };
}
