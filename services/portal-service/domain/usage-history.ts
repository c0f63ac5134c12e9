/** The months up to that of a moment, e.g. `2026-04`, in UTC; earliest first. */
export function monthsUntil(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - index))).toISOString().slice(0, 7),
  );
}

/** The days of a moment's month up to its own, e.g. `2026-04-30`, in UTC. */
export function daysUntil(now: Date): string[] {
  const month = now.toISOString().slice(0, 7);
  return Array.from({ length: now.getUTCDate() }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`);
}
