import { Cron, CronPattern } from "croner";

/** A cron expression in local time, independent of zones and their changes. */
export interface CronExpression {
  /** Minutes since midnight, on every day it runs. */
  minutesOfDay: number[];
  /** Whether it means "every hour" (or every few minutes), rather than times of the day. */
  runsEveryHour: boolean;
  /** The first local time later than this one; undefined when there is none. */
  nextWall(wall: number): number | undefined;
  /** Midnight of the next day it runs on, later than this local time. */
  nextDay(wall: number): number | undefined;
}

const day = 86_400_000;
const minute = 60_000;
const mode = "5-part";
const nicknames = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/i;
/** Without an offset croner would use the zone of this machine. */
const onWalls = { mode, utcOffset: 0, paused: true } as const;

function read(text: string): CronExpression {
  const pattern = new CronPattern(text, undefined, { mode });
  const set = (fields: number[]) => fields.flatMap((isSet, value) => (isSet ? [value] : []));
  const minutes = set(pattern.minute);
  const minutesOfDay = set(pattern.hour).flatMap((hour) => minutes.map((minute) => 60 * hour + minute));
  const [, , ...dayFields] = new Cron(text, onWalls).getPattern()!.trim().split(/\s+/);
  const days = new Cron(["0", "0", ...dayFields].join(" "), onWalls);
  const nextDay = (wall: number) => days.nextRun(new Date(wall))?.getTime();
  let lastFound: number | undefined;
  return {
    minutesOfDay,
    runsEveryHour: pattern.hour.every(Boolean),
    nextDay,
    nextWall(wall) {
      const today = wall - (wall % day);
      // Requested repeatedly within a day for an expression that runs every few minutes.
      if (lastFound !== today) lastFound = nextDay(today - 1);
      if (lastFound === today) {
        const later = minutesOfDay.find((time) => today + time * minute > wall);
        if (later !== undefined) return today + later * minute;
        lastFound = nextDay(today);
      }
      return lastFound === undefined ? undefined : lastFound + minutesOfDay[0]! * minute;
    },
  };
}

const known = new Map<string, CronExpression>();
const maxKnown = 1_000;

/**
 * Five fields (minute, hour, day of month, month, day of week) or a nickname such as `@daily`. When both day of month
 * and day of week are given, either matches, as in every cron.
 * @throws Error with a message for the user
 */
export function parseCron(text: string): CronExpression {
  const cached = known.get(text);
  if (cached) return cached;
  const fields = text.trim().split(/\s+/);
  if (!nicknames.test(text.trim()) && fields.length !== 5) {
    throw new Error("Enter five fields: minute, hour, day of month, month, day of week, e.g. 0 7 * * 1-5");
  }
  let expression: CronExpression;
  try {
    expression = read(text);
  } catch (error) {
    throw new Error((error as Error).message.replace(/^CronPattern: /, ""));
  }
  if (known.size >= maxKnown) known.clear();
  known.set(text, expression);
  return expression;
}
