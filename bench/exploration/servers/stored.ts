/** Identifiers and moments that are the same in each run. */
export function createClock() {
  let seconds = 0;
  return () => new Date(Date.UTC(2026, 0, 5, 9, 0, seconds++)).toISOString();
}

export function createUuids(block: string) {
  let count = 0;
  return () => `${block}-0000-4000-8000-${String(++count).padStart(12, "0")}`;
}

/** A page of a list, from an offset. */
export const slice = <T>(items: readonly T[], offset: number, limit: number) => items.slice(offset, offset + limit);
