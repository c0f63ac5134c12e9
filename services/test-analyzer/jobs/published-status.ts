import type { PublishedComponent, PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { goodAndBad, type Results } from "../domain/service-level.ts";
import { dayStarts, getOverallStatus, getPublicStatus } from "../domain/status-page.ts";
import { findServiceLevels } from "../store/service-levels.ts";
import { listDisplayed } from "../store/status-page-components.ts";
import { listOpenIncidents, type StatusPageRow } from "../store/status-pages.ts";
import { listUpdates } from "../store/status-updates.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

const cacheMilliseconds = 30_000;
/** Cache entries; the least recently requested one is evicted. */
const maxStored = 1_000;
const maxIncidents = 10;
const maxUpdates = 50;

interface Kept {
  /** The page at that time: its address may belong to another circle by now. */
  page: StatusPageRow;
  status: PublishedStatus | undefined;
  /** The refresh in progress. */
  asking: Promise<PublishedStatus> | undefined;
}

/**
 * The content of a status page, computed at most twice a minute for any number of visitors. While the executioner is
 * unavailable, the last known content is returned.
 */
export function createPublishedStatus(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): (page: StatusPageRow) => Promise<PublishedStatus> {
  const { db, clock } = parts;
  const stored = new Map<string, Kept>();

  async function find(page: StatusPageRow): Promise<PublishedStatus> {
    const { organization_id: organizationId } = page;
    const now = clock.now();
    const starts = dayStarts(now).map((start) => start.toISOString());
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId) });
    const displayed = await listDisplayed(db, page);
    const circleIds = displayed.map(({ test_circle_id }) => test_circle_id);
    const [levels, states, counted, incidents, updates] = await Promise.all([
      findServiceLevels(db, organizationId, circleIds),
      executioner.listCircleStandings({ query: { testCircleIds: circleIds.join(",") } }),
      executioner.countOutcomes({ body: { subjectIds: circleIds, starts, until: now.toISOString() } }),
      listOpenIncidents(db, page, { circleIds, limit: maxIncidents }),
      listUpdates(db, page, { limit: maxUpdates, onlyMessages: !page.shows_incidents }),
    ]);
    const steps = requireValue(counted, "how circles fared").items;
    const standings = requireValue(states, "how circles stand").items;
    const measured = displayed.map(({ test_circle_id: circleId, name }, index) => {
      const level = levels.find(({ test_circle_id }) => test_circle_id === circleId);
      const brokenSince = incidents
        .filter(({ circle_ids }) => circle_ids.includes(circleId))
        .reduce<Date | undefined>((first, { since }) => (first && first < since ? first : since), undefined);
      const runs = standings.find(({ testCircleId }) => testCircleId === circleId)?.lastVerdicts ?? [];
      const counts = level?.counts ?? "passRate";
      const days = steps[index]!.steps.map((step) => goodAndBad([step], counts));
      return { name, ...getPublicStatus(runs, brokenSince), days, counts, objective: level?.objective ?? null };
    });
    const together = {
      days: starts.map((_, index) => addResults(measured.map(({ days }) => days[index]!))),
      counts: allEqual(measured.map(({ counts }) => counts)) ?? ("passRate" as const),
      objective: allEqual(measured.map(({ objective }) => objective)) ?? null,
    };
    return {
      ...{ title: page.title, text: page.text, isNamed: page.is_named },
      message: page.message_at && { text: page.message, at: page.message_at.toISOString() },
      ...getOverallStatus(measured),
      ...toHistory(together, starts),
      components: measured.map(({ name, standing, since, checkedAt, ...own }) => ({
        ...{ name, standing, since, checkedAt },
        ...toHistory(own, starts),
      })),
      incidents: page.shows_incidents
        ? incidents.map(({ title, opened_at }) => ({ title, openedAt: opened_at.toISOString() }))
        : null,
      updates: updates.map(({ id, at, kind, title, text }) => ({ id, at: at.toISOString(), kind, title, text })),
      createdAt: page.created_at.toISOString(),
      asOf: now.toISOString(),
    };
  }

  function ask(page: StatusPageRow, known: Kept): Promise<PublishedStatus> {
    known.asking ??= find(page)
      .then((status) => {
        known.status = status;
        return status;
      })
      .finally(() => {
        known.asking = undefined;
      });
    return known.asking;
  }

  return async (page) => {
    const found = stored.get(page.address);
    const known = found && isSame(found.page, page) ? found : { page, status: undefined, asking: undefined };
    stored.delete(page.address);
    stored.set(page.address, known);
    if (stored.size > maxStored) stored.delete(stored.keys().next().value!);
    const { status } = known;
    if (status && clock.now().getTime() - Date.parse(status.asOf) < cacheMilliseconds) return status;
    return await ask(page, known).catch((error) => {
      if (status) return status;
      throw error;
    });
  };
}

function isSame(one: StatusPageRow, other: StatusPageRow): boolean {
  return (
    one.organization_id === other.organization_id &&
    one.test_circle_id === other.test_circle_id &&
    one.created_at.getTime() === other.created_at.getTime() &&
    one.version === other.version
  );
}

type Measured = Pick<PublishedComponent, "counts" | "objective"> & { days: readonly Results[] };

const toShare = ({ good, bad }: Results) => (good + bad === 0 ? null : good / (good + bad));

/** Days without results count nowhere. */
function toHistory({ days, counts, objective }: Measured, starts: readonly string[]) {
  return {
    days: days.map((results, index) => ({
      day: starts[index]!.slice(0, "2026-03-10".length),
      share: toShare(results),
      results: results.good + results.bad,
    })),
    share30: toShare(addResults(days.slice(-30))),
    share90: toShare(addResults(days)),
    ...{ counts, objective },
  };
}

function addResults(some: readonly Results[]): Results {
  return some.reduce((sum, { good, bad }) => ({ good: sum.good + good, bad: sum.bad + bad }), { good: 0, bad: 0 });
}

function allEqual<Value>(values: readonly Value[]): Value | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}
