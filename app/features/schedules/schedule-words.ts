import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { href } from "~/href";
import { plural } from "~/ui/count/plural";

const lengths = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

function inLargestUnit(seconds: number): [count: number, unit: string] {
  const [unit, length] = lengths.find(([, length]) => seconds % length === 0) ?? lengths[3];
  return [seconds / length, unit];
}

/** For example `90 minutes`. */
export function lengthWords(seconds: number): string {
  return plural(...inLargestUnit(seconds));
}

/** For example `every 15 minutes`. */
export function everyWords(seconds: number): string {
  const [count, unit] = inLargestUnit(seconds);
  return `every ${count === 1 ? unit : lengthWords(seconds)}`;
}

/** The page of a schedule; undefined if its circle has no tests left, and so no API to be shown below. */
export function scheduleAddress({ id, testCircleId, apiIds }: Schedule): string | undefined {
  const [apiId] = apiIds;
  if (!apiId) return undefined;
  const location = { apiId, testCircleId, scheduleId: id };
  return href("/test-management/:apiId/test-circles/:testCircleId/schedules/:scheduleId/edit", location);
}

/** A circle's schedule by its name, if it has one. */
export function scheduleWords({ testCircleName, name }: Pick<Schedule, "testCircleName" | "name">): string {
  return name ? `${testCircleName}: ${name}` : testCircleName;
}
