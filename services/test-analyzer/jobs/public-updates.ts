import { uuidv7 } from "uuidv7";
import type { Clock } from "../../kit/clock/clock.ts";
import { compareIncidents, type Update } from "../domain/status-update.ts";
import { listDisplayed } from "../store/status-page-components.ts";
import { findStatusPage, listOpenIncidents, type StatusPageRow } from "../store/status-pages.ts";
import { insertUpdates, listPagesToUpdate, listReported, replaceReported } from "../store/status-updates.ts";
import type { AnalyzerDatabase, AnalyzerTransaction } from "../store/tables.ts";
import type { StatusMail } from "./status-mail.ts";

/** More at the same time are reported later, when some have ended. */
const maxIncidents = 100;

export type PublicUpdates = ReturnType<typeof createPublicUpdates>;

/** Reports what happens on status pages: in the updates of the page, and to its subscribers. */
export function createPublicUpdates({ clock, statusMail }: { clock: Clock; statusMail: StatusMail }) {
  /** In the transaction that decides, each update once. */
  async function publish(
    transaction: AnalyzerTransaction,
    page: StatusPageRow,
    updates: readonly Update[],
  ): Promise<void> {
    const at = clock.now();
    const of = { organization_id: page.organization_id, page_circle_id: page.test_circle_id, at };
    await insertUpdates(
      transaction,
      updates.map((update) => ({ id: uuidv7(), ...of, ...update })),
    );
    await statusMail.sendUpdates(transaction, page, updates);
  }

  return {
    publish,

    listDue: (db: AnalyzerDatabase) => listPagesToUpdate(db),

    /** Within the turn of its organization. */
    async report(
      transaction: AnalyzerTransaction,
      { organization_id, test_circle_id }: Pick<StatusPageRow, "organization_id" | "test_circle_id">,
    ): Promise<void> {
      const page = await findStatusPage(transaction, organization_id, test_circle_id);
      if (!page?.shows_incidents) return;
      const displayed = (await listDisplayed(transaction, page)).map(({ test_circle_id: circleId, name }) => ({
        ...{ circleId, name },
      }));
      const circleIds = displayed.map(({ circleId }) => circleId);
      const reported = await listReported(transaction, page);
      const open = await listOpenIncidents(transaction, page, { circleIds, limit: maxIncidents });
      const updates = compareIncidents(
        reported.map(({ incident_id: id, title, circle_ids }) => ({ id, title, circleIds: circle_ids })),
        open.map(({ id, title, circle_ids }) => ({ id, title, circleIds: circle_ids })),
        displayed,
      );
      await replaceReported(
        transaction,
        page,
        open.map(({ id, title, circle_ids }) => ({ incident_id: id, title, circle_ids: circle_ids.toSorted() })),
      );
      await publish(transaction, page, updates);
    },
  };
}
