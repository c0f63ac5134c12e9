import { isAway } from "~/backend/responses";
import type { Viewer } from "~/session/guards";
import type { SentFrom } from "./sent-from";

const maxNamed = 10;

/** The locations among these ids, by their names now. Those that can't be looked up at the moment are left out. */
export async function findSentFrom(
  { backend, may }: Viewer,
  ids: readonly (string | null | undefined)[],
): Promise<SentFrom[]> {
  if (!may("tests:read")) return [];
  const unique = [...new Set(ids.filter((id) => typeof id === "string"))].slice(0, maxNamed);
  const found = await Promise.all(
    unique.map(async (locationId): Promise<SentFrom[]> => {
      const result = await backend.testExecutioner.getLocation({ params: { locationId } });
      if (result.ok) {
        const { id, name, agents, lastSeenAt } = result.value;
        return [{ id, name, agents, lastSeenAt }];
      }
      return isAway(result) ? [] : [{ id: locationId }];
    }),
  );
  return found.flat();
}
