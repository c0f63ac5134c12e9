import { changeCircle } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { CircleEvent, TestEvent } from "#contracts/test-registry/events.ts";
import type { AuditedChange, RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import { parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type LeftCircle, removeMembers } from "../store/circle-members.ts";
import { forgetImportedObjects } from "../store/imported-objects.ts";
import { removeWindowsOfApi } from "../store/maintenance-windows.ts";
import { removeProposals } from "../store/proposals.ts";
import type { TestDatabase, TestTransaction } from "../store/tables.ts";
import { removeTest, removeTests, removeTestsOfApi } from "../store/tests.ts";
import { auditedCircle } from "./audited-circle.ts";
import { toCircleEvent } from "./circles.ts";
import { followMoves } from "./moved-tests.ts";
import type { RequireApi } from "./require-api.ts";
import { audited, refuse } from "./tests.ts";

type DeletionHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "deleteTest" | "deleteTests" | "deleteTestsOfApi" | "receiveEvent"
>;

/** Per event; a request between services may have ten times as many. */
const maxTestsPerEvent = 500;

function splitIntoChunks<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** A circle before and after the deletion. */
function auditedDeparture({ circle, members, membersBefore, testIds }: LeftCircle): AuditedChange {
  return {
    id: circle.id,
    kind: String(changeCircle.audit),
    before: auditedCircle({ ...circle, version: circle.version - 1 }, membersBefore),
    after: { ...auditedCircle(circle, members), testsDeleted: testIds },
  };
}

export interface DeletedTests {
  apiId: string;
  testIds: string[];
  isApiGone: boolean;
}

/** Removes the members that named deleted resources from circles. @returns the events that report all of it */
export async function followDeletion(
  { clock, plans }: { clock: Clock; plans: PlanLedger },
  transaction: TestTransaction,
  organizationId: string,
  { apiId, testIds, isApiGone }: DeletedTests,
) {
  const deleted = { testIds, apiId: isApiGone ? apiId : undefined };
  const circles = await removeMembers(transaction, organizationId, deleted, clock.now());
  await removeProposals(transaction, organizationId, deleted);
  if (isApiGone) {
    await removeWindowsOfApi(transaction, organizationId, apiId);
    await forgetImportedObjects(transaction, { organizationId, apiId });
  }
  const ofTests = splitIntoChunks(testIds, maxTestsPerEvent).map((chunk) => ({
    type: "tests.deleted" as const,
    organizationId,
    resource: `api/${apiId}`,
    payload: { apiId, testIds: chunk },
  }));
  await plans.remove(transaction, organizationId, testIds.length);
  const ofCircles = circles.map(({ circle }) => toCircleEvent("circle.updated", organizationId, circle));
  return { circles, events: [...ofTests, ...ofCircles] };
}

/** Creates the handlers that delete tests and publish the deletions. */
export function createDeletionHandlers(parts: {
  db: TestDatabase;
  clock: Clock;
  requireApi: RequireApi;
  publisher: Publisher<TestEvent | CircleEvent>;
  plans: PlanLedger;
  ended: EndedOrganizations;
}) {
  const { db, clock, requireApi, publisher, plans, ended } = parts;

  async function follow(
    transaction: TestTransaction,
    organizationId: string,
    deleted: DeletedTests,
    record: RecordChange,
  ) {
    const { events, circles } = await followDeletion({ clock, plans }, transaction, organizationId, deleted);
    await record(transaction, ...circles.map(auditedDeparture));
    await publisher.publish(transaction, events);
  }

  async function deleteOfApi(
    organizationId: string,
    { apiId, isApiGone }: { apiId: string; isApiGone: boolean },
    record: RecordChange,
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const testIds = await removeTestsOfApi(transaction, organizationId, apiId);
      await record(transaction, ...testIds.map((id) => ({ id, before: { apiId } })));
      await follow(transaction, organizationId, { apiId, testIds, isApiGone }, record);
    });
  }

  const handlers: DeletionHandlers = {
    async deleteTest({ caller, params, request, log, record }) {
      const { testId } = params;
      const { organizationId } = caller;
      const versions = parseIfMatch(request.headers.get("if-match"));
      const removed = await db.transaction().execute(async (transaction) => {
        const row = await removeTest(transaction, { organizationId, testId }, versions);
        if (!row) return undefined;
        await record(transaction, { id: testId, before: audited(row) });
        await follow(transaction, organizationId, { apiId: row.api_id, testIds: [testId], isApiGone: false }, record);
        return row;
      });
      if (!removed) await refuse(db, caller, testId);
      log.info({ testId, userId: caller.userId }, "test deleted");
      return undefined;
    },

    async deleteTests({ caller, params, body, log, record, requestId }) {
      const { organizationId } = caller;
      const { apiId } = params;
      const removed = await db.transaction().execute(async (transaction) => {
        const rows = await removeTests(transaction, organizationId, { apiId, testIds: body.testIds });
        await record(transaction, ...rows.map((row) => ({ id: row.id, before: audited(row) })));
        const testIds = rows.map(({ id }) => id);
        if (testIds.length > 0) await follow(transaction, organizationId, { apiId, testIds, isApiGone: false }, record);
        return testIds;
      });
      if (removed.length === 0) await requireApi(caller, requestId, apiId);
      log.info({ testIds: removed, apiId, userId: caller.userId }, "tests deleted");
      return { deleted: removed.length };
    },

    async deleteTestsOfApi({ caller, params, log, record, requestId }) {
      await requireApi(caller, requestId, params.apiId);
      await deleteOfApi(caller.organizationId, { apiId: params.apiId, isApiGone: false }, record);
      log.info({ apiId: params.apiId, userId: caller.userId }, "tests of an API deleted");
      return undefined;
    },

    /** Deletes the tests of a deleted API, idempotently, and moves those of moved operations. */
    async receiveEvent({ caller, body, record }) {
      if (body.type === "plan.changed") {
        await plans.store(caller.organizationId, body.payload);
        await record(db);
        return undefined;
      }
      if (body.type === "organization.deleted") {
        await db.transaction().execute((transaction) => ended.end(transaction, caller.organizationId));
        await record(db);
        return undefined;
      }
      if (body.type === "operations.moved") {
        await followMoves({ db, clock, publisher }, { caller, body, record });
        return undefined;
      }
      await deleteOfApi(caller.organizationId, { apiId: body.payload.apiId, isApiGone: true }, record);
      return undefined;
    },
  };
  return handlers;
}
