import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { judgeProposedTest } from "../jobs/judge-proposed-test.ts";
import { type MeasureParts, measureNotices } from "../jobs/measure-notices.ts";
import { listNoticesOfTests, sumNotices, toTestNotices } from "../store/test-notices.ts";
import type { RequireApi } from "./apis.ts";
import type { RequireOwners } from "./required-owners.ts";

type NoticesHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  "getTestNotices" | "listTestNotices" | "summarizeNotices" | "judgeProposedTest"
>;

export function createNoticesHandlers(
  parts: MeasureParts & { requireApi: RequireApi; requireTest: RequireOwners["requireTest"] },
): NoticesHandlers {
  const { db } = parts;
  return {
    async getTestNotices({ caller, params: { testId }, requestId }) {
      const current = await parts.requireTest({ caller, requestId }, testId);
      const row = await measureNotices(parts, { organizationId: caller.organizationId, testId, current });
      return row ? toTestNotices(row) : toUnknown(current);
    },
    async listTestNotices({ caller, query }) {
      return { items: await listNoticesOfTests(db, caller.organizationId, query.testIds), nextCursor: null };
    },
    async judgeProposedTest({ caller: { organizationId }, params: { apiId }, body }) {
      return await judgeProposedTest(parts, { organizationId, apiId, ...body });
    },
    async summarizeNotices({ caller: { organizationId }, params: { apiId }, requestId }) {
      const summary = await sumNotices(db, organizationId, apiId);
      if (summary.tests === 0) await parts.requireApi({ organizationId, requestId }, apiId);
      return summary;
    },
  };
}

function toUnknown({ id }: Test) {
  return {
    ...{ testId: id, state: "never_passed" as const, testVersion: null, executionId: null, foundAt: null },
    ...{ changes: 0, noticed: 0, cannotFail: false, noticedChanges: [], missedChanges: [], leftOut: 0, setAside: 0 },
  };
}
