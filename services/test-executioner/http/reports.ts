import { notFound, Problem } from "../../kit/problem/problem.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testExecutionerContract } from "../contract/contract.ts";
import { createHarReport } from "../domain/report/har.ts";
import { writeJsonReport } from "../domain/report/json.ts";
import { writeJunitReport } from "../domain/report/junit.ts";
import { chooseReportType, type ReportType, reportTypes } from "../domain/report/media-type.ts";
import type { WriteReport } from "../domain/report/reported-run.ts";
import { readReportedExecutions } from "../store/reported-executions.ts";
import { findRun, toRunSummary } from "../store/run-list.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

export function createReportHandlers(parts: {
  db: ExecutionDatabase;
  version: string;
}): Pick<Handlers<typeof testExecutionerContract>, "reportRun"> {
  const { db } = parts;
  const writers: Record<ReportType, WriteReport> = {
    "application/json": writeJsonReport,
    "application/junit+xml": writeJunitReport,
    "text/xml": writeJunitReport,
    "application/har+json": createHarReport(parts.version),
  };
  return {
    async reportRun({ caller, params, request, log }) {
      const type = chooseReportType(request.headers.get("accept"));
      if (!type) throw new Problem("not_acceptable", `A report is one of ${reportTypes.join(", ")}.`);
      const ofRun = { organizationId: caller.organizationId, runId: params.runId };
      const run = await findRun(db, caller.organizationId, params.runId);
      if (!run) throw notFound("run");
      const text = writers[type](toRunSummary(run), readReportedExecutions(db, ofRun));
      return new Response(
        streamOf(text, (error) => log.error({ err: error }, "a report broke off")),
        {
          headers: { "content-type": `${type}; charset=utf-8`, vary: "accept" },
        },
      );
    },
  };
}

/** Written as fast as it is read. What breaks it off can't change the status any more, so the reader sees it cut. */
function streamOf(text: AsyncGenerator<string>, broke: (error: unknown) => void): ReadableStream<Uint8Array> {
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
