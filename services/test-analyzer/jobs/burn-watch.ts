import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { MeasuredLevel } from "#contracts/test-analyzer/service-levels.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { getDeferredUntil } from "../domain/alert/bundles.ts";
import { createBurnMessage } from "../domain/alert/titles.ts";
import { ruleInForce } from "../domain/incident/rule-in-force.ts";
import { burnsFast } from "../domain/service-level.ts";
import { findChannels } from "../store/alert-channels.ts";
import { findDelivery, updateDelivery } from "../store/alert-deliveries.ts";
import { listAllRules } from "../store/alert-rules.ts";
import { takeTurn } from "../store/incident-changes.ts";
import {
  type BurnNotice,
  getBurnNotices,
  listLevelsToLookAt,
  type ServiceLevelRow,
  saveBurnNotices,
  storeBurn,
} from "../store/service-levels.ts";
import type { AnalyzerDatabase, AnalyzerTransaction } from "../store/tables.ts";
import type { Alerting } from "./alerting.ts";
import type { MeasureLevels } from "./measure-levels.ts";

/** While a budget burns fast, passing time alone may end it. */
const againMilliseconds = 60_000;
const levelsOfLook = 200;

export type BurnWatch = ReturnType<typeof createBurnWatch>;

/**
 * Sends an alert when the error budget of a service level burns fast, and when that ends. Checked after each run of its
 * circle that was not good, and every minute while it burns.
 */
export function createBurnWatch(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  alerting: Alerting;
  measureLevels: MeasureLevels;
  testExecutioner: Connect<typeof testExecutionerContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}) {
  const { db, clock, alerting } = parts;

  /** Undefined when it was deleted. */
  async function findCircle({ organization_id, test_circle_id: testCircleId }: ServiceLevelRow) {
    const token = await parts.serviceToken(organization_id);
    const found = await parts.testRegistry({ token }).getCircle({ params: { testCircleId } });
    return found.status === 404 ? undefined : requireValue(found, "a circle");
  }

  async function findLastRuns(organizationId: string, testCircleIds: string[]) {
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId) });
    const query = { testCircleIds: testCircleIds.join(",") };
    const { items } = requireValue(await executioner.listCircleStandings({ query }), "how circles stand");
    return (row: ServiceLevelRow) => {
      const runs = items.find(({ testCircleId }) => testCircleId === row.test_circle_id)?.lastVerdicts ?? [];
      return runs.filter(({ passed, notPassed }) => passed + notPassed > 0);
    };
  }

  /** Notifies channels of the circle's rule, or of its API's when all its tests belong to one API. */
  async function notifyBurning(
    transaction: AnalyzerTransaction,
    { organization_id: organizationId, test_circle_id: testCircleId }: ServiceLevelRow,
    apiIds: string[],
    message: AlertMessage,
  ): Promise<BurnNotice[]> {
    const rules = await listAllRules(transaction, organizationId);
    const rule = ruleInForce(rules, { testCircleId, apiId: apiIds.length === 1 ? apiIds[0]! : "" });
    if (!rule?.policy.onBurn) return [];
    const { onRecovery: tellsEnd, quietHours = null } = rule.policy;
    const until = getDeferredUntil({ severity: "high", quietHours, mutedUntil: null }, clock.now());
    const notices: BurnNotice[] = [];
    for (const channel of await findChannels(transaction, organizationId, rule.channelIds)) {
      if (!channel.enabled) continue;
      const { id: deliveryId } = await alerting.post(transaction, channel, message, { incidentIds: [], until });
      notices.push({ channelId: channel.id, deliveryId, tellsEnd });
    }
    return notices;
  }

  /** Notifies channels that were notified of the burn; alerts deferred by quiet hours are dropped. */
  async function notifySteady(
    transaction: AnalyzerTransaction,
    row: ServiceLevelRow,
    message: AlertMessage | undefined,
  ): Promise<void> {
    const notices = getBurnNotices(row);
    const channelIds = notices.map(({ channelId }) => channelId);
    const channels = await findChannels(transaction, row.organization_id, channelIds);
    for (const { channelId, deliveryId, tellsEnd } of notices) {
      const delivery = await findDelivery(transaction, row.organization_id, deliveryId);
      const dropped = { state: "dropped" as const, not_before: null };
      const wasHeld = delivery && (await updateDelivery(transaction, delivery, dropped, ["held"]));
      const channel = channels.find(({ id }) => id === channelId);
      if (wasHeld || !tellsEnd || !message || !channel?.enabled) continue;
      await alerting.post(transaction, channel, message, { incidentIds: [], until: undefined });
    }
  }

  function toMessage(row: ServiceLevelRow, circle: Circle, measured: MeasuredLevel, isFast: boolean): AlertMessage {
    const { test_circle_id: testCircleId, objective, days, counts, burning_since } = row;
    const now = clock.now();
    return createBurnMessage(
      {
        ...{ testCircleId, testCircleName: circle.name, apiId: circle.apiIds[0] ?? null, objective, days, counts },
        ...{ since: (burning_since ?? now).toISOString(), endedAt: isFast ? null : now.toISOString() },
        ...{ burn: measured.burn, left: measured.budget?.left ?? null },
        exhaustedInMinutes: measured.exhaustedInMinutes,
      },
      now,
    );
  }

  async function decide(row: ServiceLevelRow, measured: MeasuredLevel, isFast: boolean): Promise<void> {
    const now = clock.now();
    // Channels that are added during the burn are notified too.
    const isNews = isFast ? getBurnNotices(row).length === 0 : row.burning_since !== null;
    const circle = isNews ? await findCircle(row) : undefined;
    const message = circle && toMessage(row, circle, measured, isFast);
    await db.transaction().execute(async (transaction) => {
      await takeTurn(transaction, row.organization_id);
      const isOurs = await storeBurn(transaction, row, {
        burningSince: isFast ? (row.burning_since ?? now) : null,
        next: isFast ? new Date(now.getTime() + againMilliseconds) : null,
      });
      if (!isOurs || !isNews) return;
      if (!isFast) await notifySteady(transaction, row, message);
      const notices = isFast && message ? await notifyBurning(transaction, row, circle.apiIds, message) : [];
      await saveBurnNotices(transaction, row, notices);
    });
  }

  return {
    async look(): Promise<void> {
      const due = await listLevelsToLookAt(db, clock.now(), levelsOfLook);
      for (const organizationId of new Set(due.map(({ organization_id }) => organization_id))) {
        const rows = due.filter(({ organization_id }) => organization_id === organizationId);
        const [levels, getLastRuns] = await Promise.all([
          parts.measureLevels(organizationId, rows),
          findLastRuns(
            organizationId,
            rows.map(({ test_circle_id }) => test_circle_id),
          ),
        ]);
        for (const [index, row] of rows.entries()) {
          const measured = levels[index]!;
          await decide(row, measured, burnsFast(row, measured.burn, getLastRuns(row), clock.now()));
        }
      }
    },
  };
}
