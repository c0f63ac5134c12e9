import type { Endpoint } from "#contracts/kit/endpoint.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { RunSummary } from "#contracts/test-executioner/runs.ts";
import type { Call, Handlers } from "../../kit/service/service.ts";
import { createHarReport } from "../domain/report/har.ts";
import { writeJsonReport } from "../domain/report/json.ts";
import { writeJunitReport } from "../domain/report/junit.ts";
import { chooseReportType, type ReportType, reportTypes } from "../domain/report/media-type.ts";
import { type ReportedExecution, runOfOne, type WriteReport } from "../domain/report/reported-run.ts";
import { findExecution } from "../store/executions.ts";
import { toMember } from "../store/members.ts";
import { readReportedExecutions } from "../store/reported-executions.ts";
import { findRun, toRunSummary } from "../store/run-list.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

type Answering = Pick<Call<Endpoint>, "request" | "log">;

export function createReportHandlers(parts: { db: ExecutionDatabase; version: string }) {
  const { db } = parts;
  const writers: Record<ReportType, WriteReport> = {
    "application/json": writeJsonReport,
    "application/junit+xml": writeJunitReport,
    "application/xml": writeJunitReport,
    "text/xml": writeJunitReport,
    "application/har+json": createHarReport(parts.version),
  };

  function respond(
    { request, log }: Answering,
    run: RunSummary,
    executions: AsyncIterable<ReportedExecution>,
  ): Response {
    const type = chooseReportType(request.headers.get("accept"));
    if (!type) throw new Problem("not_acceptable", `A report is one of ${reportTypes.join(", ")}.`);
    const text = writers[type](run, executions);
    const broke = (error: unknown) => log.error({ err: error }, "a report broke off");
    const headers = { "content-type": `${type}; charset=utf-8`, vary: "accept" };
    return new Response(getStream(text, broke), { headers });
  }

  return {
    async reportRun({ caller, params, ...call }) {
      const ofRun = { organizationId: caller.organizationId, runId: params.runId };
      const run = await findRun(db, caller.organizationId, params.runId);
      if (!run) throw notFound("run");
      return respond(call, toRunSummary(run), readReportedExecutions(db, ofRun, run));
    },

    async reportExecution({ caller, params, ...call }) {
      const { organizationId } = caller;
      const execution = await findExecution(db, organizationId, params.executionId);
      const run = execution && (await findRun(db, organizationId, execution.run_id));
      if (!run) throw notFound("execution");
      const ofRun = { organizationId, runId: run.id };
      const summary = runOfOne(toRunSummary(run), toMember(execution, run));
      return respond(call, summary, readReportedExecutions(db, ofRun, run, execution.position));
    },
  } satisfies Pick<Handlers<typeof testExecutionerContract>, "reportRun" | "reportExecution">;
}

/**
 * Written as fast as it is read. An error midway can't change the status any more, so the reader sees a truncated
 * report.
 */
function getStream(text: AsyncGenerator<string>, broke: (error: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await text.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        broke(error);
        controller.error(error);
      }
    },
    async cancel() {
      await text.return(undefined);
    },
  });
}
