import type { MeasuredServiceLevel } from "#contracts/test-analyzer/service-levels.ts";
import type { CircleStatus } from "#contracts/test-executioner/circle-statuses.ts";
import type { CircleSummary } from "#contracts/test-registry/circles.ts";
import { zoneNames } from "#libraries/time-zone/zone-names.ts";
import { available } from "~/backend/responses";
import { circleRunAddress, circleRunsAddress } from "~/features/circles/circle-addresses";
import { clockIn } from "~/features/time-zone/viewers-clock";
import { stripWords } from "~/features/verdict/strip-words";
import { getStatus, type Status, statusWords } from "~/features/verdict/verdict-words";
import type { Viewer } from "~/session/guards";
import type { StripProps } from "~/ui/strip/strip";

type LastRun = CircleStatus["lastRun"];

/** Status of a circle, for lists. */
export interface DisplayedCircleStatus {
  last: ({ status: Status; address: string; at: string } & Pick<LastRun, "trigger" | "startedBy">) | undefined;
  /** Its last whole runs; undefined before the first has ended. */
  strip: StripProps | undefined;
  /** Since when all of the last runs passed, or all did not. */
  since: { at: string; isExact: boolean } | undefined;
  next: { at: string; local: string; timeZone: string } | null;
  /** It has schedules, and all of them are paused. */
  isPaused: boolean;
  /** Null where it has none, undefined where unknown. */
  level: MeasuredServiceLevel | null | undefined;
}

type ListedCircle = Pick<CircleSummary, "id" | "apiIds">;

/** For a page of circles: three calls, however many there are. */
export async function findCircleStatuses(
  { backend }: Viewer,
  circles: readonly ListedCircle[],
  { apiId, timeZone }: { apiId: string | undefined; timeZone: string },
) {
  const { format } = clockIn({ timeZone, names: zoneNames(timeZone) });
  const now = new Date().toISOString();
  const testCircleIds = circles.map(({ id }) => id).join(",");
  const [statuses, schedules, levels] = testCircleIds
    ? await Promise.all([
        backend.testExecutioner.listCircleStandings({ query: { testCircleIds } }).then(available),
        backend.testRegistry.summarizeSchedules({ query: { testCircleIds } }).then(available),
        backend.testAnalyzer.listServiceLevels({ query: { testCircleIds } }).then(available),
      ])
    : [];
  const getStrip = (circle: ListedCircle, runs: CircleStatus["lastVerdicts"]): StripProps => ({
    text: stripWords(runs, "run", now),
    href: circleRunsAddress(circle, apiId),
    items: runs.toReversed().map(({ runId, verdict, finishedAt }) => {
      const { word, tone } = statusWords[verdict ?? "cancelled"];
      return { key: runId, tone, label: `${word}, ${format(finishedAt)}` };
    }),
  });
  return {
    of(circle: ListedCircle): DisplayedCircleStatus {
      const getAddress = (runId: string) => circleRunAddress(circle, runId, apiId);
      const status = statuses?.items.find(({ testCircleId }) => testCircleId === circle.id);
      const schedule = schedules?.items.find(({ testCircleId }) => testCircleId === circle.id);
      return {
        last: status && {
          status: getStatus(status.lastRun),
          address: getAddress(status.lastRun.runId),
          at: status.lastRun.startedAt ?? status.lastRun.queuedAt,
          trigger: status.lastRun.trigger,
          startedBy: status.lastRun.startedBy,
        },
        strip: status && status.lastVerdicts.length > 0 ? getStrip(circle, status.lastVerdicts) : undefined,
        since: getSince(status?.lastVerdicts ?? []),
        next: schedule?.next ?? null,
        level: levels && (levels.items.find(({ testCircleId }) => testCircleId === circle.id) ?? null),
        isPaused: schedule !== undefined && schedule.paused === schedule.schedules,
      };
    },
  };
}

const isGood = (verdict: CircleStatus["lastVerdicts"][number]["verdict"]) =>
  verdict === "passed" || verdict === "flaky";

/** The end of the first of the newest runs with one outcome; not exact where all known ones have it. */
function getSince(verdicts: CircleStatus["lastVerdicts"]): DisplayedCircleStatus["since"] {
  const [newest] = verdicts;
  if (!newest) return undefined;
  const other = verdicts.findIndex(({ verdict }) => isGood(verdict) !== isGood(newest.verdict));
  const first = other < 0 ? verdicts.at(-1)! : verdicts[other - 1]!;
  return { at: first.finishedAt, isExact: other >= 0 };
}
