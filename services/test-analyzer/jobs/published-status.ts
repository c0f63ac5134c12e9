import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { goodAndBad } from "../domain/service-level.ts";
import { dayStarts, getPublicStatus } from "../domain/status-page.ts";
import { findServiceLevels } from "../store/service-levels.ts";
import { listOpenIncidents, type StatusPageRow } from "../store/status-pages.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

const cacheMilliseconds = 30_000;
/** Cache entries; the least recently requested one is evicted. */
const maxStored = 1_000;
const maxIncidents = 10;

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
    const { organization_id: organizationId, test_circle_id: testCircleId } = page;
    const now = clock.now();
    const starts = dayStarts(now).map((start) => start.toISOString());
    const executioner = parts.testExecutioner({ token: await parts.serviceToken(organizationId) });
    const [[level], states, counted, incidents] = await Promise.all([
      findServiceLevels(db, organizationId, [testCircleId]),
      executioner.listCircleStandings({ query: { testCircleIds: testCircleId } }),
      executioner.countOutcomes({ body: { subjectIds: [testCircleId], starts, until: now.toISOString() } }),
      listOpenIncidents(db, page, maxIncidents),
    ]);
    const brokenSince = incidents.reduce<Date | undefined>(
      (first, { since }) => (first && first < since ? first : since),
      undefined,
    );
    const counts = level?.counts ?? "passRate";
    const { steps } = requireValue(counted, "how a circle fared").items[0]!;
    const getShare = (some: typeof steps) => {
      const { good, bad } = goodAndBad(some, counts);
      return { share: good + bad === 0 ? null : good / (good + bad), results: good + bad };
    };
    return {
      ...{ title: page.title, text: page.text, isNamed: page.is_named },
      message: page.message_at && { text: page.message, at: page.message_at.toISOString() },
      ...getPublicStatus(requireValue(states, "how a circle stands").items[0]?.lastVerdicts ?? [], brokenSince),
      days: steps.map((step, index) => ({ day: starts[index]!.slice(0, "2026-03-10".length), ...getShare([step]) })),
      share30: getShare(steps.slice(-30)).share,
      share90: getShare(steps).share,
      ...{ counts, objective: level?.objective ?? null },
      incidents: page.shows_incidents
        ? incidents.map(({ title, opened_at }) => ({ title, openedAt: opened_at.toISOString() }))
        : null,
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
