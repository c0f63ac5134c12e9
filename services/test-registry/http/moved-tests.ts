import type { ReceivedEvent, TestEvent } from "#contracts/test-registry/events.ts";
import { getMovedPrefix, moveBaseUrl } from "#libraries/openapi/comparison/moved-prefix.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { createInbox } from "../../kit/events/inbox.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { findTestsOfPaths, markMoved } from "../store/moved-tests.ts";
import type { TestDatabase, TestTables, TestTransaction } from "../store/tables.ts";
import { type TestRow, updateTest } from "../store/tests.ts";
import { audited, toEvent } from "./tests.ts";

type Moved = Extract<ReceivedEvent, { type: "operations.moved" }>;
type Move = Moved["payload"]["moves"][number];

/** Tests follow operations that moved in a new document. Once a document: paths may have been exchanged. */
export async function followMoves(
  { db, clock, publisher }: { db: TestDatabase; clock: Clock; publisher: Publisher<TestEvent> },
  { caller, body, record }: { caller: Identity; body: Moved; record: RecordChange },
): Promise<void> {
  const receive = createInbox<TestTables, Moved>(
    { db, clock },
    { "operations.moved": (transaction, event) => move(transaction, event) },
  );
  await receive({ body, caller });

  async function move(transaction: TestTransaction, { organizationId, payload }: Moved): Promise<void> {
    const { apiId, documentId } = payload;
    const moves = new Map(payload.moves.map((one) => [`${one.method.toLowerCase()} ${one.from}`, one]));
    const paths = payload.moves.map(({ from }) => from);
    const tests = await findTestsOfPaths(transaction, { organizationId, apiId, documentId, paths });
    const ids: string[] = [];
    for (const test of tests) {
      const found = moves.get(`${test.method.toLowerCase()} ${test.path}`);
      if (!found) continue;
      const { api_id: _, version: __, created_at: ___, ...columns } = test;
      const changed = { ...columns, ...toMoved(test, found), updated_at: clock.now() };
      const updated = await updateTest(transaction, changed, undefined);
      if (!updated) continue;
      ids.push(test.id);
      await record(transaction, { id: test.id, before: audited(test), after: audited(updated) });
      await publisher.publish(transaction, [toEvent("test.changed", updated)]);
    }
    await markMoved(transaction, { organizationId, documentId, ids });
    if (ids.length === 0) await record(transaction);
  }
}

/** With its own base URL moved, too, so that it sends the same request. */
function toMoved({ definition }: TestRow, { from, to, parameters }: Move): Pick<TestRow, "path" | "definition"> {
  const names = new Map(parameters.map((one) => [one.from, one.to]));
  const { request } = definition;
  const pathParameters = request.pathParameters.map((one) => ({ ...one, name: names.get(one.name) ?? one.name }));
  const prefix = getMovedPrefix(from, to);
  const baseUrl = (prefix && request.baseUrl && moveBaseUrl(request.baseUrl, prefix)) ?? request.baseUrl;
  return { path: to, definition: { ...definition, request: { ...request, baseUrl, pathParameters } } };
}
