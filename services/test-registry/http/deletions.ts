import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import { versionsOf } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testRegistryContract } from "../contract/contract.ts";
import type { TestEvent } from "../contract/events.ts";
import type { TestDatabase, TestTransaction } from "../store/tables.ts";
import { removeTest, removeTestsOfApi } from "../store/tests.ts";
import { audited, refuse } from "./tests.ts";

type DeletionHandlers = Pick<Handlers<typeof testRegistryContract>, "deleteTest" | "deleteTestsOfApi" | "receiveEvent">;

/** Of one event; a service's request has room for ten times as many. */
const mostTestsTold = 500;

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Makes the handlers that delete tests; whoever keeps something of them is told. */
export function createDeletionHandlers({ db, publisher }: { db: TestDatabase; publisher: Publisher<TestEvent> }) {
  async function tell(transaction: TestTransaction, organizationId: string, apiId: string, testIds: string[]) {
    const events = chunksOf(testIds, mostTestsTold).map((chunk) => ({
      type: "tests.deleted" as const,
      organizationId,
      resource: `api/${apiId}`,
      payload: { apiId, testIds: chunk },
    }));
    await publisher.publish(transaction, events);
  }

  async function deleteOfApi(organizationId: string, apiId: string, record: RecordChange): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const removed = await removeTestsOfApi(transaction, organizationId, apiId);
      await record(transaction, ...removed.map((id) => ({ id, before: { apiId } })));
      await tell(transaction, organizationId, apiId, removed);
    });
  }

  const handlers: DeletionHandlers = {
    async deleteTest({ caller, params, request, log, record }) {
      const { testId } = params;
      const { organizationId } = caller;
      const versions = versionsOf(request.headers.get("if-match"));
      const removed = await db.transaction().execute(async (transaction) => {
        const row = await removeTest(transaction, { organizationId, testId }, versions);
        if (!row) return undefined;
        await record(transaction, { id: testId, before: audited(row) });
        await tell(transaction, organizationId, row.api_id, [testId]);
        return row;
      });
      if (!removed) await refuse(db, caller, testId);
      log.info({ testId, userId: caller.userId }, "test deleted");
      return undefined;
    },

    async deleteTestsOfApi({ caller, params, log, record }) {
      await deleteOfApi(caller.organizationId, params.apiId, record);
      log.info({ apiId: params.apiId, userId: caller.userId }, "tests of an API deleted");
      return undefined;
    },

    /** An API is gone: so are its tests. Hearing it twice deletes nothing twice. */
    async receiveEvent({ caller, body, record }) {
      await deleteOfApi(caller.organizationId, body.payload.apiId, record);
      return undefined;
    },
  };
  return handlers;
}
