import { Problem } from "#contracts/kit/problem.ts";

export function readMoment(path: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === "") return undefined;
  const moment = new Date(text);
  // PostgreSQL's limits differ from JavaScript's; nothing ever ran outside these years.
  if (!(moment.getUTCFullYear() >= 1970 && moment.getUTCFullYear() <= 9999)) {
    throw new Problem("malformed_request", undefined, {
      errors: [{ path, message: "Enter a time, e.g. 2026-01-31T08:00:00Z" }],
    });
  }
  return moment;
}
