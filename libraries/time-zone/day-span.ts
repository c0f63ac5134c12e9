import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import { isTimeZone, unknownTimeZoneMessage } from "./wall-clock.ts";

const maxSpanMilliseconds = 31 * 86_400_000;

/** The range of a `daySpan` query, in milliseconds since 1970. @throws Problem malformed_request naming each field */
export function readDaySpan({ from, to, timeZone }: { from: string; to: string; timeZone: string }): {
  start: number;
  end: number;
} {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const errors: FieldError[] = [];
  if (!(start >= 0)) errors.push({ path: "from", message: "Choose a moment after 1970" });
  if (!(end > start && end - start <= maxSpanMilliseconds)) {
    errors.push({ path: "to", message: "Choose a moment after `from`, at most 31 days later" });
  }
  if (!isTimeZone(timeZone)) {
    errors.push({ path: "timeZone", message: unknownTimeZoneMessage });
  }
  if (errors.length > 0) throw new Problem("malformed_request", undefined, { errors });
  return { start, end };
}
