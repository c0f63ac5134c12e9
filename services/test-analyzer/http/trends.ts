import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { type TrendRange, trendRanges } from "#contracts/test-analyzer/trends.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { ExecutionCount } from "#contracts/test-executioner/counts.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { isTimeZone, unknownTimeZoneMessage } from "#libraries/time-zone/wall-clock.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import { type ResourceFinders, requireFiltered } from "../../kit/service/resource-filters.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { coverOperation } from "../domain/coverage.ts";
import { toFigures } from "../domain/trend-figures.ts";
import { getStepStarts } from "../domain/trend-steps.ts";
import { listMarks } from "../store/marks.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { toMark } from "./marks.ts";
import { requireCircle } from "./own-circle.ts";
import { requireFromService } from "./service-result.ts";

/** Whole weeks, so that weekdays and weekends have equal weight. */
const usualDays = 28;
const rankedDays = 30;
/** As many as fit into a plot. */
const maxMarks = 100;

/** Creates the handlers that aggregate executions, which the executioner has counted. */
export function createTrendHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
  finders: ResourceFinders;
}): Pick<Handlers<typeof testAnalyzerContract>, "getCoverage" | "getTrends" | "listApiFigures"> {
  const { db, clock, apiRegistry } = parts;

  async function executionerFor(organizationId: string, requestId: string) {
    return parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId });
  }

  /** The marks of a circle: its APIs' deployments and documents, and the edits of its tests. */
  async function findCircle(caller: Identity, testCircleId: string, requestId: string) {
    const { apiIds, members } = await requireCircle(parts.testRegistry, caller, testCircleId, requestId);
    return {
      apiIds,
      testIds: members.flatMap((member) => (member.kind === "test" ? [member.testId] : [])),
      selectedApiIds: members.flatMap((member) => (member.kind === "selection" ? [member.apiId] : [])),
    };
  }

  return {
    async getCoverage({ caller, params, query, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const page = requireFromService(await registry.listOperations({ params, query }));
      const executioner = await executionerFor(caller.organizationId, requestId);
      const operations = page.items.map(({ method, path }) => ({ method, path }));
      const { items } = requireFromService(await executioner.listOperationVerdicts({ params, body: { operations } }));
      const results = page.items.map((): typeof items => []);
      for (const item of items) results[item.operation]?.push(item);
      return { ...page, items: page.items.map((operation, index) => coverOperation(operation, results[index] ?? [])) };
    },

    async listApiFigures({ caller: { organizationId }, query: { apiIds, range, timeZone }, requestId }) {
      requireTimeZone(timeZone);
      const now = clock.now();
      const executioner = await executionerFor(organizationId, requestId);
      const from = getStepStarts(range, timeZone, now)[0]!.toISOString();
      const body = { subjectIds: apiIds, from, until: now.toISOString() };
      const { items } = requireFromService(await executioner.countSubjects({ body }));
      return { items: items.map(({ subjectId, total }) => ({ apiId: subjectId, figures: toFigures(total) })) };
    },

    async getTrends({ caller, query: { apiId, testId, testCircleId, range: requested, timeZone }, requestId }) {
      requireTimeZone(timeZone);
      const now = clock.now();
      const until = now.toISOString();
      const { organizationId } = caller;
      const executioner = await executionerFor(organizationId, requestId);
      const circle = testCircleId === undefined ? undefined : await findCircle(caller, testCircleId, requestId);
      const subjectId = testCircleId ?? testId ?? apiId;
      const { range, starts, counted } = await countIn(requested ? [requested] : trendRanges, async (one) => {
        const starts = getStepStarts(one, timeZone, now).map((start) => start.toISOString());
        const body = { subjectId, starts, until };
        return { range: one, starts, counted: requireFromService(await executioner.countExecutions({ body })) };
      });
      if (counted.total.executions === 0) {
        await requireFiltered(parts.finders, { organizationId, requestId, operation: "getTrends" }, { apiId, testId });
      }
      // Older outliers need no action now, and reading them would cost more than the plots.
      const rankedFrom = starts.at(-rankedDays) ?? starts[0]!;
      const marked = { organizationId, apiId, testId, circle, from: new Date(starts[0]!), limit: maxMarks };
      const isRanked = testId === undefined && testCircleId === undefined;
      const usualFrom = new Date(now.getTime() - usualDays * 86_400_000).toISOString();
      const registry = parts.testRegistry({ token: caller.token, requestId });
      const ofPlaces = testCircleId ?? testId;
      const [ranks, marks, windows, shifted, placed] = await Promise.all([
        isRanked ? executioner.rankOperations({ query: { apiId, from: rankedFrom } }) : undefined,
        listMarks(db, marked),
        registry.listMaintenanceWindowTimes({
          query: { from: starts[0]!, to: until, ...(testCircleId ? { testCircleId } : { apiId }) },
        }),
        testId === undefined
          ? undefined
          : executioner.findResponseTimeShift({ params: { testId }, query: { from: usualFrom, until } }),
        ofPlaces ? executioner.countPlaces({ body: { subjectId: ofPlaces, starts, until } }) : undefined,
      ]);
      const { steps, total } = counted;
      const places = placed ? requireFromService(placed).places : [];
      const toPoints = (counts: ExecutionCount[]) =>
        counts.map((count, index) => ({ from: starts[index]!, ...toFigures(count) }));
      return {
        ...{ range, timeZone, until },
        points: toPoints(steps),
        total: toFigures(total),
        places: places.map(({ locationId, name, last, ...one }) => ({
          ...{ locationId, name, last, points: toPoints(one.steps), total: toFigures(one.total) },
        })),
        ...(ranks ? requireFromService(ranks) : { slowest: [], flakiest: [] }),
        shift: shifted ? requireFromService(shifted).shift : null,
        windows: windows.ok ? windows.value.items : null,
        marks: marks.map(toMark).reverse(),
      };
    },
  };
}

function requireTimeZone(timeZone: string): void {
  if (isTimeZone(timeZone)) return;
  const errors = [{ path: "timeZone", message: unknownTimeZoneMessage }];
  throw new Problem("malformed_request", undefined, { errors });
}

interface CountedRange {
  range: TrendRange;
  starts: string[];
  counted: { steps: ExecutionCount[]; total: ExecutionCount };
}

/** Minimum number of points with executions for a readable plot. */
const enoughPoints = 6;

/** The first range with enough points, else the one with the most of them, the shorter of two. */
async function countIn(
  ranges: readonly TrendRange[],
  count: (range: TrendRange) => Promise<CountedRange>,
): Promise<CountedRange> {
  let best: { found: CountedRange; points: number } | undefined;
  for (const range of ranges) {
    const found = await count(range);
    const points = found.counted.steps.filter(({ executions }) => executions > 0).length;
    if (points >= enoughPoints) return found;
    if (!best || points > best.points || best.points === 0) best = { found, points };
  }
  return best!.found;
}
