import { Cron, CronPattern } from "croner";

/** A cron expression as clocks on walls show it; of zones and their changes it knows nothing. */
export interface CronExpression {
  /** Minutes since midnight, on every day it runs. */
  minutesOfDay: number[];
  /** It means "every hour" (or every few minutes), rather than times of the day. */
  runsEveryHour: boolean;
  /** The first wall time later than this one; undefined when there is none. */
  nextWall(wall: number): number | undefined;
  /** Midnight of the next day it runs on, later than this wall time. */
  nextDay(wall: number): number | undefined;
}

const mode = "5-part";
const nicknames = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;
/** Without an offset croner would ask what zone this machine is in. */
const onWalls = { mode, utcOffset: 0, paused: true } as const;

function read(text: string): CronExpression {
  const pattern = new CronPattern(text, undefined, { mode });
  const set = (fields: number[]) => fields.flatMap((isSet, value) => (isSet ? [value] : []));
  const minutes = set(pattern.minute);
  const times = new Cron(text, onWalls);
  const [, , ...dayFields] = times.getPattern()!.trim().split(/\s+/);
  const days = new Cron(["0", "0", ...dayFields].join(" "), onWalls);
  const next = (cron: Cron, wall: number) => cron.nextRun(new Date(wall))?.getTime();
  return {
    minutesOfDay: set(pattern.hour).flatMap((hour) => minutes.map((minute) => 60 * hour + minute)),
    runsEveryHour: pattern.hour.every(Boolean),
    nextWall: (wall) => next(times, wall),
    nextDay: (wall) => next(days, wall),
  };
}

const known = new Map<string, CronExpression>();
const mostKnown = 1_000;

/**
 * Five fields (minute, hour, day of month, month, day of week) or a nickname as `@daily`. Day of month and day of week
 * widen each other when both are given, as in every cron.
 * @throws Error that says what is wrong
 */
export function parseCron(text: string): CronExpression {
  const kept = known.get(text);
  if (kept) return kept;
  const fields = text.trim().split(/\s+/);
  if (!nicknames.test(text.trim()) && fields.length !== 5) {
    throw new Error("Write five fields: minute, hour, day of month, month, day of week, as in 0 7 * * 1-5");
  }
  let expression: CronExpression;
  try {
    expression = read(text);
  } catch (error) {
    throw new Error((error as Error).message.replace(/^CronPattern: /, ""));
  }
  if (known.size >= mostKnown) known.clear();
  known.set(text, expression);
  return expression;
}
