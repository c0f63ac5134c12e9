import { type RawBuilder, sql } from "kysely";
import { uuidv7 } from "uuidv7";

/** The creation time of a UUIDv7. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));
}

/** The smallest UUIDv7 of a moment: ids sort by their times. */
export function firstIdOf(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** A UUIDv7 of a moment: of what is stored later than it happened. */
export function createIdAt(moment: Date): string {
  const timeLength = "00000000-0000".length;
  return firstIdOf(moment).slice(0, timeLength) + uuidv7().slice(timeLength);
}

/** The same as the smallest one, for a moment in SQL. */
export function firstIdAt(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`rpad(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;
}
