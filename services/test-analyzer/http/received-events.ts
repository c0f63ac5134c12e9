import { uuidv7 } from "uuidv7";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { createInbox } from "../../kit/events/inbox.ts";
import type { EndedOrganizations } from "../../kit/organization/ended-organizations.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { CertificateWatch } from "../jobs/certificate-watch.ts";
import type { DocumentIncidents } from "../jobs/document-incidents.ts";
import type { HeardRun, IncidentWatch } from "../jobs/incident-watch.ts";
import type { LocationIncidents } from "../jobs/location-incidents.ts";
import type { ReadRun } from "../jobs/run-histories.ts";
import { removeScopedRule } from "../store/alert-rules.ts";
import { deleteCertificates } from "../store/certificates.ts";
import { deleteMarks, insertMark, type MarkRow, moveTestMark } from "../store/marks.ts";
import { removeServiceLevel } from "../store/service-levels.ts";
import { removeComponents } from "../store/status-page-components.ts";
import { removeStatusPage } from "../store/status-pages.ts";
import type { AnalyzerDatabase, AnalyzerTables } from "../store/tables.ts";

/** A user who edits a test saves it repeatedly: that is one change. */
const oneEditMilliseconds = 60 * 60 * 1_000;

/**
 * Creates the handler for events of other services: changes become marks, failures become incidents, and both are
 * deleted with their test, API or circle.
 */
export function createReceivedEventHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  watch: IncidentWatch;
  certificates: CertificateWatch;
  documents: DocumentIncidents;
  locations: LocationIncidents;
  readRun: ReadRun;
  ended: EndedOrganizations;
}): Pick<Handlers<typeof testAnalyzerContract>, "receiveEvent"> {
  const { db, clock, watch, certificates, documents, locations, readRun, ended } = parts;
  /**
   * A passed test is only looked up among those known to fail. A new failure is therefore stored first and the results
   * read again: the test may have passed in the meantime, in an event that was handled before the failure was known.
   */
  async function findOut(event: ReceivedEvent): Promise<HeardRun | null | undefined> {
    if (event.type !== "run.finished") return undefined;
    const run = await readRun(event);
    if (!run || !hasNewFailure(run)) return run;
    await db.transaction().execute((transaction) => watch.hear(transaction, event.organizationId, run));
    return await readRun(event);
  }
  return {
    receiveEvent: createInbox<AnalyzerTables, ReceivedEvent, HeardRun | undefined>(
      { db, clock, findOut },
      {
        async "document.imported"(transaction, event) {
          const { apiId, apiName, version } = event.payload;
          await insertMark(transaction, {
            ...getMark(event, apiId),
            kind: "document",
            name: version,
            api_name: apiName,
          });
        },
        async "test.changed"(transaction, event) {
          const { apiId, testId, name } = event.payload;
          const row: MarkRow = { ...getMark(event, apiId), kind: "test", name, test_id: testId };
          const since = new Date(row.at.getTime() - oneEditMilliseconds);
          if (!(await moveTestMark(transaction, row, since))) await insertMark(transaction, row);
        },
        async "tests.deleted"(transaction, { organizationId, payload }) {
          await deleteMarks(transaction, organizationId, payload);
          await watch.forget(transaction, organizationId, payload);
        },
        async "api.deleted"(transaction, { organizationId, payload: { apiId } }) {
          await deleteMarks(transaction, organizationId, { apiId });
          await watch.forget(transaction, organizationId, { apiId });
          await documents.forget(transaction, organizationId, apiId);
          await removeScopedRule(transaction, organizationId, { kind: "api", id: apiId });
          await deleteCertificates(transaction, organizationId, apiId);
        },
        async "circle.deleted"(transaction, { organizationId, payload: { testCircleId } }) {
          await watch.forget(transaction, organizationId, { testCircleId });
          await removeScopedRule(transaction, organizationId, { kind: "circle", id: testCircleId });
          await removeServiceLevel(transaction, organizationId, testCircleId);
          await removeStatusPage(transaction, organizationId, testCircleId);
          await removeComponents(transaction, organizationId, testCircleId);
        },
        async "run.finished"(transaction, { organizationId }, run) {
          await watch.hear(transaction, organizationId, run!);
        },
        "certificate.seen": certificates.hear,
        "document.watched": documents.hear,
        "location.watched": locations.hear,
        "organization.deleted": (transaction, { organizationId }) => ended.end(transaction, organizationId),
      },
    ),
  };
}

const hasNewFailure = ({ items, requestedIds: askedIds }: HeardRun): boolean =>
  items.some(({ testId, results }) => results.at(-1)?.failure && !askedIds.includes(testId));

function getMark({ organizationId, occurredAt }: ReceivedEvent, apiId: string) {
  return {
    ...{ id: uuidv7(), organization_id: organizationId, at: new Date(occurredAt), api_id: apiId },
    ...{ api_name: null, test_id: null, url: null, created_by: null },
  };
}
