import { missingVariable } from "#libraries/running/unsendable.ts";
import { executionName, type ReportedExecution } from "../../services/test-executioner/domain/report/reported-run.ts";
import { isFailure } from "../../services/test-executioner/domain/verdict.ts";

/** Failures with the same reason at the same operation, of which one is shown. */
export interface ReportedCause {
  /** The first one. */
  execution: ReportedExecution;
  reason: string;
  /** Others by name. */
  also: string[];
}

/** Executions that failed or could not be judged, each cause once, the failed ones first. */
export function groupCauses(executions: readonly ReportedExecution[]): ReportedCause[] {
  const causes = new Map<string, ReportedCause>();
  const failed = executions.filter(({ verdict, isRegional }) => isFailure(verdict) && !isRegional);
  const first = failed.filter((one) => !lacksValue(one));
  for (const execution of first.length > 0 ? first : failed) {
    const { verdict, method, path } = execution;
    const reason = execution.reason ?? "It has no reason.";
    const place = verdict === "failed" ? `${method} ${path}` : "";
    const known = causes.get(`${verdict} ${place} ${reason}`);
    if (known) known.also.push(executionName(execution));
    else causes.set(`${verdict} ${place} ${reason}`, { execution, reason, also: [] });
  }
  const isJudged = ({ execution }: ReportedCause) => Number(execution.verdict === "failed");
  return [...causes.values()].sort((one, other) => isJudged(other) - isJudged(one));
}

/** It follows from another failure: what should have given the value. */
const lacksValue = ({ attempts }: ReportedExecution) => attempts.at(-1)?.cause?.code === missingVariable;

/** "GET /books" */
export const toOperation = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
