import type { Params } from "@remix-run/react";
import type { Execution } from "#contracts/test-executioner/executions.ts";
import { problemResponse, required } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

/** The execution in the address. @throws Response 404 where it belongs to another test */
export async function requireExecution({ backend }: Viewer, params: Params): Promise<Execution> {
  const executionId = params.testExecutionId!;
  const execution = required(await backend.testExecutioner.getExecution({ params: { executionId } }));
  if (execution.testId === params.testId && execution.apiId === params.apiId) return execution;
  throw problemResponse({
    type: "about:blank",
    title: "Not found",
    status: 404,
    code: "not_found",
    detail: "This test has no such execution.",
  });
}
