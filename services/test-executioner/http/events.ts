import { notFound } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { ChangeFeed } from "../jobs/feeds.ts";
import { findExecution, toSummary } from "../store/executions.ts";
import { listLatestOfApi, summarizeApis } from "../store/latest-executions.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import type { RequireApi } from "./apis.ts";
import { Changes } from "./changes.ts";
import { streamEvents } from "./event-stream.ts";

type EventHandlers = Pick<Handlers<typeof testExecutionerContract>, "watchExecution" | "watchApi">;

/** A run changes hundreds of times; watchers are notified a few times a second. */
const collectMilliseconds = 200;

export function createEventHandlers(parts: {
  db: ExecutionDatabase;
  requireApi: RequireApi;
  changeFeed: ChangeFeed;
  stopping: AbortSignal;
}): EventHandlers {
  const { db, requireApi, changeFeed, stopping } = parts;
  return {
    async watchExecution({ caller, params, request }) {
      const { organizationId } = caller;
      const first = await findExecution(db, organizationId, params.executionId);
      if (!first) throw notFound("execution");
      return streamEvents({ request, caller }, stopping, async (send, signal) => {
        const changes = new Changes(changeFeed, (changed) => changed.has(first.run_id), signal);
        try {
          let sent = "";
          for (;;) {
            const row = await findExecution(db, organizationId, first.id);
            if (!row) return;
            const summary = toSummary(row);
            const text = JSON.stringify(summary);
            if (text !== sent && !(await send("execution", summary))) return;
            sent = text;
            if (row.state === "finished" || row.state === "cancelled" || signal.aborted) return;
            await changes.next(0);
          }
        } finally {
          changes.end();
        }
      });
    },
    async watchApi({ caller, params, request, requestId }) {
      const { organizationId } = caller;
      const first = await listLatestOfApi(db, organizationId, params.apiId);
      if (first.length === 0) await requireApi({ organizationId, requestId }, params.apiId);
      return streamEvents({ request, caller }, stopping, async (send, signal) => {
        const isOurs = (apiIds: Set<string>) => apiIds.has(params.apiId);
        const changes = new Changes(changeFeed, (changed) => [...changed.values()].some(isOurs), signal);
        try {
          const known = new Map<string, string>();
          let sentSummary = "";
          for (;;) {
            // Totals first: when they say that all have ended, everything read after them is complete.
            const [summary] = await summarizeApis(db, organizationId, [params.apiId]);
            const latest = await listLatestOfApi(db, organizationId, params.apiId);
            const items = latest.filter((item) => {
              const text = JSON.stringify(item);
              const isNew = known.get(item.testId) !== text;
              known.set(item.testId, text);
              return isNew;
            });
            if (items.length > 0 && !(await send("latest", { items }))) return;
            const text = JSON.stringify(summary);
            if (text !== sentSummary && !(await send("summary", summary))) return;
            sentSummary = text;
            if (summary!.unfinished === 0 || signal.aborted) return;
            await changes.next(collectMilliseconds);
          }
        } finally {
          changes.end();
        }
      });
    },
  };
}
