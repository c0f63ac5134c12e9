import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { createInbox } from "../../kit/events/inbox.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { testAnalyzerContract } from "../contract/contract.ts";
import type { ReceivedEvent } from "../contract/received-events.ts";
import { deleteMarksOf, insertMark, type MarkRow, moveTestMark } from "../store/marks.ts";
import type { AnalyzerDatabase, AnalyzerTables } from "../store/tables.ts";

/** Who edits a test saves it time and again: all of it is one change. */
const oneEditMilliseconds = 60 * 60 * 1_000;

/** Makes the handler of what other services tell: what changed becomes a mark, and goes with what it is of. */
export function createReceivedEventHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
}): Pick<Handlers<typeof testAnalyzerContract>, "receiveEvent"> {
  return {
    receiveEvent: createInbox<AnalyzerTables, ReceivedEvent>(parts, {
      async "document.imported"(transaction, event) {
        const { apiId, apiName, version } = event.payload;
        await insertMark(transaction, { ...markOf(event, apiId), kind: "document", name: version, api_name: apiName });
      },
      async "test.changed"(transaction, event) {
        const { apiId, testId, name } = event.payload;
        const row: MarkRow = { ...markOf(event, apiId), kind: "test", name, test_id: testId };
        const since = new Date(row.at.getTime() - oneEditMilliseconds);
        if (!(await moveTestMark(transaction, row, since))) await insertMark(transaction, row);
      },
      "tests.deleted": (transaction, { organizationId, payload }) =>
        deleteMarksOf(transaction, organizationId, payload),
      "api.deleted": (transaction, { organizationId, payload: { apiId } }) =>
        deleteMarksOf(transaction, organizationId, { apiId }),
    }),
  };
}

function markOf({ organizationId, occurredAt }: ReceivedEvent, apiId: string) {
  return {
    ...{ id: uuidv7(), organization_id: organizationId, at: new Date(occurredAt), api_id: apiId },
    ...{ api_name: null, test_id: null, url: null, created_by: null },
  };
}
