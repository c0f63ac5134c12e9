import { randomBytes } from "node:crypto";
import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import type { Verdict } from "#contracts/test-executioner/verdicts.ts";

export const displayedDays = 90;
const dayMilliseconds = 86_400_000;

/** Names that could be mistaken for pages of the portal or for official statements. */
const reservedNames = new Set(
  (
    "about account admin administration administrator api api-assurance apis assets auth badge billing contact create " +
    "dashboard delete edit error favicon health help home index info internal legal list login logout metrics new none " +
    "null official operator organization portal pricing privacy public register root security settings signin signout " +
    "signup static status support system terms test undefined user users welcome www"
  ).split(" "),
);

export const isReserved = (name: string) => reservedNames.has(name);

/** 128 bits: can't be guessed. */
export const newAddress = () => randomBytes(16).toString("base64url");

/** Midnights (UTC) at which the displayed days begin, oldest first. */
export function dayStarts(now: Date): Date[] {
  const today = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds;
  return Array.from(
    { length: displayedDays },
    (_, index) => new Date(today - (displayedDays - 1 - index) * dayMilliseconds),
  );
}

export interface EndedRun {
  verdict: Verdict | null;
  finishedAt: string;
  passed: number;
  notPassed: number;
}

/** With a lower share of good results in the last run, the circle is down rather than degraded. */
const degradedFrom = 0.5;

const works = ({ verdict }: EndedRun) => verdict === "passed" || verdict === "flaky";
const isConclusive = ({ verdict }: EndedRun) => verdict !== null && verdict !== "skipped" && verdict !== "blocked";

/**
 * The public status of a circle, by its last runs, newest first, and its open incidents. Cancelled and skipped runs are
 * ignored, and a circle that passed once during an open incident is at best degraded.
 * @param brokenSince start of the oldest open incident
 */
export function getPublicStatus(
  runs: readonly EndedRun[],
  brokenSince: Date | undefined,
): Pick<PublishedStatus, "standing" | "checkedAt" | "since"> {
  const conclusive = runs.filter(isConclusive);
  const [last] = conclusive;
  if (!last) return { standing: "unknown", checkedAt: null, since: null };
  const checkedAt = last.finishedAt;
  if (works(last) && !brokenSince) return { standing: "operational", checkedAt, since: null };
  const firstGood = conclusive.findIndex(works);
  const failing = firstGood === -1 ? conclusive : conclusive.slice(0, firstGood);
  const since = [
    ...failing.slice(-1).map(({ finishedAt }) => finishedAt),
    ...(brokenSince ? [brokenSince.toISOString()] : []),
  ].sort()[0]!;
  const isDown = !works(last) && last.passed < (last.passed + last.notPassed) * degradedFrom;
  return { standing: isDown ? "down" : "degraded", checkedAt, since };
}

type State = Pick<PublishedStatus, "standing" | "checkedAt" | "since">;

/** The status of several circles together: those that were not checked yet do not count. */
export function getOverallStatus(components: readonly State[]): State {
  const known = components.filter(({ standing }) => standing !== "unknown");
  const failing = known.filter(({ standing }) => standing !== "operational");
  const isDown = known.length > 0 && known.every(({ standing }) => standing === "down");
  return {
    standing: known.length === 0 ? "unknown" : isDown ? "down" : failing.length > 0 ? "degraded" : "operational",
    checkedAt:
      known
        .flatMap(({ checkedAt }) => checkedAt ?? [])
        .sort()
        .at(-1) ?? null,
    since: failing.flatMap(({ since }) => since ?? []).sort()[0] ?? null,
  };
}
