import { type RawBuilder, sql } from "kysely";

/** When a UUIDv7 was made. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));
}

/** The smallest UUIDv7 of a moment: ids compare as their times do. */
export function firstIdOf(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The same of a moment that the database knows. */
export function firstIdAt(moment: RawBuilder<unknown>): RawBuilder<string> {
  return sql`rpad(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;
}
