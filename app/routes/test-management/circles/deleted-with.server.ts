import { available } from "~/backend/responses";
import { everyWords } from "~/features/schedules/schedule-words";
import type { Viewer } from "~/session/guards";
import { plural } from "~/ui/count/plural";

/** Beyond this number only the count is displayed. */
const maxNamed = 3;
const maxCounted = 100;

/** The dependents deleted with a circle apart from those that every circle has, in words; empty where there are none. */
export async function findDeletedWith({ backend }: Viewer, testCircleId: string): Promise<string[]> {
  const { listSchedules, listMaintenanceWindows } = backend.testRegistry;
  const [schedules, windows] = await Promise.all([
    listSchedules({ query: { testCircleId, limit: maxCounted } }).then(available),
    listMaintenanceWindows({ query: { testCircleId, limit: maxCounted } }).then(available),
  ]);
  const named = schedules && {
    ...schedules,
    items: schedules.items.map(({ name, cron, everySeconds }) => ({
      name: name ?? cron ?? everyWords(everySeconds ?? 0),
    })),
  };
  return [countedWords(named, "schedule"), countedWords(windows, "maintenance window")].filter((words) => words !== "");
}

/** For example `2 schedules (Nightly, Mornings)`. */
function countedWords(
  page: { items: readonly { name: string }[]; nextCursor: string | null } | undefined,
  noun: string,
): string {
  if (!page) return `its ${noun}s`;
  const { items, nextCursor } = page;
  if (items.length === 0) return "";
  const counted = `${nextCursor ? "more than " : ""}${plural(items.length, noun)}`;
  return items.length > maxNamed ? counted : `${counted} (${items.map(({ name }) => name).join(", ")})`;
}
