import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import { startPeriodicJob } from "../../kit/clock/periodic-job.ts";
import { listDueDeliveries } from "../store/alert-deliveries.ts";
import { listDueCertificates } from "../store/certificates.ts";
import { takeTurn } from "../store/incident-changes.ts";
import { listDueReminders } from "../store/incident-channels.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { listOrganizationsWithAges } from "../store/watched-tests.ts";
import type { Alerting } from "./alerting.ts";
import type { BurnWatch } from "./burn-watch.ts";
import type { CertificateWatch } from "./certificate-watch.ts";
import type { IncidentWatch } from "./incident-watch.ts";
import type { PublicUpdates } from "./public-updates.ts";

const lookEveryMilliseconds = 10_000;

export interface AlertClockParts {
  db: AnalyzerDatabase;
  clock: Clock;
  log: Logger;
  alerting: Alerting;
  watch: IncidentWatch;
  certificates: CertificateWatch;
  burns: BurnWatch;
  updates: PublicUpdates;
  lookEveryMilliseconds?: number;
}

/** Time-based work: failures that last too long, deferred messages, reminders, certificates, budgets and status pages. */
export function startAlertClock(parts: AlertClockParts): () => Promise<void> {
  const { db, clock, alerting, watch, certificates, burns, updates, log } = parts;
  /** Serialized with all other decisions of the organization; each step reads again what is due. */
  async function forEach<Due extends { organization_id: string }>(
    due: Due[],
    act: (transaction: Parameters<typeof takeTurn>[0], item: Due) => Promise<void>,
  ): Promise<void> {
    for (const item of due) {
      await db.transaction().execute(async (transaction) => {
        await takeTurn(transaction, item.organization_id);
        await act(transaction, item);
      });
    }
  }
  async function look(): Promise<void> {
    const now = clock.now();
    await forEach(await listOrganizationsWithAges(db), (transaction, { organization_id }) =>
      watch.judgeAges(transaction, organization_id),
    );
    await forEach(await listDueDeliveries(db, now), alerting.release);
    await forEach(await listDueReminders(db, now), (transaction, { organization_id }) =>
      alerting.remind(transaction, organization_id),
    );
    await forEach(await listDueCertificates(db, now), (transaction, { organization_id }) =>
      certificates.warn(transaction, organization_id),
    );
    await forEach(await updates.listDue(db), updates.report);
    await burns.look();
  }
  return startPeriodicJob({
    intervalMilliseconds: parts.lookEveryMilliseconds ?? lookEveryMilliseconds,
    work: look,
    failure: "alerts that are due could not be looked at",
    log,
  });
}
