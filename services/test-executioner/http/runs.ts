import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Failing, Run } from "#contracts/test-executioner/runs.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { readIdempotencyKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { isCookieJar } from "../domain/cookie-jar.ts";
import { keepsCaptures } from "../domain/handing-on.ts";
import { chooseReportType } from "../domain/report/media-type.ts";
import { maxFirstFailures } from "../domain/watched-members.ts";
import { isNothing } from "../jobs/capture-seal.ts";
import { cancelRun } from "../store/cancellations.ts";
import { loadCaptures } from "../store/captures.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import { listMembers, pageOfMembers, toMember } from "../store/members.ts";
import { retryDeadlock } from "../store/retry-deadlock.ts";
import { findRun, listRuns, toRunSummary } from "../store/run-list.ts";
import type { ExecutionDatabase, RunRow } from "../store/tables.ts";
import { readMoment } from "./moments.ts";
import { getWaitSeconds } from "./preferred-wait.ts";
import type { createReportHandlers } from "./reports.ts";
import type { StartSource } from "./starting-sources.ts";
import type { WaitForEnd } from "./waiting.ts";

type RunHandlers = Pick<Handlers<typeof testExecutionerContract>, "startRun" | "listRuns" | "getRun" | "cancelRun">;

export interface RunHandlerParts {
  db: ExecutionDatabase;
  clock: Clock;
  startSource: StartSource;
  publishFinished: PublishFinished;
  waitForEnd: WaitForEnd;
  reportRun: ReturnType<typeof createReportHandlers>["reportRun"];
}

/** As many as a page has by default. */
const startedMembers = 25;

/** Which members to return: failed ones, the others, or all. */
function getFailing(run: RunRow, failing: Failing | undefined): boolean | undefined {
  if (failing === "whileUnfinished") return run.finished_at ? false : undefined;
  return failing && failing === "true";
}

export function createRunHandlers({
  db,
  clock,
  startSource,
  publishFinished,
  waitForEnd,
  reportRun,
}: RunHandlerParts): RunHandlers {
  async function requireRun(organizationId: string, runId: string): Promise<RunRow> {
    const run = await findRun(db, organizationId, runId);
    if (!run) throw notFound("run");
    return run;
  }

  async function readRun(
    organizationId: string,
    runId: string,
    { failing, ...page }: Parameters<typeof pageOfMembers>[2] & { failing?: Failing },
  ): Promise<Run> {
    const row = await requireRun(organizationId, runId);
    const ofRun = { organizationId, runId, regional_test_ids: row.regional_test_ids };
    const hasFailures = row.failed + row.errored + row.blocked + row.regional > 0;
    const failures = { after: 0, verdicts: ["failed" as const, "errored" as const, "blocked" as const] };
    const [members, firstFailures, captures] = await Promise.all([
      pageOfMembers(db, ofRun, page, getFailing(row, failing)),
      hasFailures ? listMembers(db, ofRun, { ...failures, limit: maxFirstFailures }) : [],
      keepsCaptures({ order: row.execution_order, concurrency: row.concurrency })
        ? loadCaptures(db, [runId])
        : undefined,
    ]);
    return {
      ...toRunSummary(row),
      firstFailures: firstFailures.map((member) => toMember(member, row)),
      captures: (captures?.get(runId) ?? [])
        .filter((capture) => !isCookieJar(capture))
        .map(({ name, value, isSecret, position, type }) => ({
          ...{ name, position, secret: isSecret },
          ...(isNothing({ value, type })
            ? { value: null, type: null }
            : { value: isSecret ? null : value, type: type ?? null }),
        })),
      members,
    };
  }

  return {
    async startRun({ caller, query, body, request, answerHeaders, requestId, record }) {
      const { organizationId } = caller;
      const idempotencyKey = readIdempotencyKey(request, body);
      const { environments = {}, baseUrls = {}, ...start } = body;
      const runId = await startSource({
        ...{ ...start, caller, requestId, record, idempotencyKey },
        chooseEnvironment: (apiId) => ({
          ...{ environment: environments[apiId], baseUrl: baseUrls[apiId] },
          path: `environments.${apiId}`,
        }),
      });
      const seconds = getWaitSeconds({ query, request, answerHeaders });
      await waitForEnd(organizationId, runId, seconds, request.signal);
      return await readRun(organizationId, runId, { limit: startedMembers });
    },

    async listRuns({ caller, query }) {
      const { from, to, ...filter } = query;
      return await listRuns(db, caller.organizationId, {
        ...filter,
        from: readMoment("from", from),
        to: readMoment("to", to),
      });
    },

    async getRun({ query, ...call }) {
      const { caller, params, request, answerHeaders } = call;
      const type = chooseReportType(request.headers.get("accept"));
      if (type?.endsWith("xml")) return await reportRun({ ...call, query: undefined });
      answerHeaders.set("vary", "accept");
      return await readRun(caller.organizationId, params.runId, query);
    },

    async cancelRun({ caller, params, record }) {
      const { organizationId } = caller;
      const before = await requireRun(organizationId, params.runId);
      await retryDeadlock(() =>
        db.transaction().execute(async (transaction) => {
          await cancelRun(transaction, organizationId, params.runId, clock.now(), publishFinished);
          await record(transaction, { id: params.runId, before: { state: before.state } });
        }),
      );
      const run = await requireRun(organizationId, params.runId);
      // Cancelling a cancelled run succeeds; one that ended normally is reported.
      if (before.finished_at && !before.is_cancelled && before.state !== "cancelled") {
        throw new Problem("conflict", "This run has ended.");
      }
      return toRunSummary(run);
    },
  };
}
