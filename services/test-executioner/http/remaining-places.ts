import { Problem } from "#contracts/kit/problem.ts";
import { getLeastPlaces } from "#contracts/test-registry/circle-places.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { listUnknownLocations } from "../store/locations.ts";
import type { RunSurroundings } from "../store/surroundings.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

type Places = NonNullable<RunSurroundings["places"]>;

interface Known {
  places?: Places | undefined;
  /** Of each place, or of the only one of a run. */
  captures: OpenCapture[][];
}

/**
 * Leaves out places whose location was deleted, with what is known at them.
 * @throws Problem invalid_input if too few remain for the rule, or if the only place of an earlier run is repeated
 */
export type LeaveDeleted = (run: Known & { organizationId: string }) => Promise<Known>;

export function createLeaveDeleted(db: ExecutionDatabase): LeaveDeleted {
  return async ({ organizationId, places, captures }) => {
    if (!places) return { captures };
    const deleted = await listUnknownLocations(
      db,
      organizationId,
      places.ids.filter((id) => id !== null),
    );
    if (deleted.size === 0) return { places, captures };
    const isLeft = (index: number) => !deleted.has(places.ids[index] ?? "");
    const isOfEach = captures.length === places.ids.length;
    return {
      places: leaveOut(places, deleted, isLeft),
      captures: isOfEach ? captures.filter((_, index) => isLeft(index)) : captures,
    };
  };
}

function leaveOut(places: Places, deleted: ReadonlySet<string>, isLeft: (index: number) => boolean): Places {
  const ids = places.ids.filter((_, index) => isLeft(index));
  const turn = places.turn === undefined || !isLeft(places.turn) ? undefined : ids.indexOf(places.ids[places.turn]!);
  if (places.turn !== undefined && turn === undefined)
    throw refusal("The location that this run was sent from was deleted. Run its circle instead.");
  const needed = getLeastPlaces(places);
  if (ids.length < needed) throw refusal(explain(ids.length, needed));
  const { turn: _, ...others } = places;
  return {
    ...others,
    ids,
    ...(turn === undefined ? {} : { turn }),
    deletedIds: [...(places.deletedIds ?? []), ...deleted],
  };
}

function explain(left: number, needed: number): string {
  const remaining = left === 0 ? "none is" : left === 1 ? "only 1 is" : `only ${left} are`;
  return `Of the circle's places ${remaining} left, since locations were deleted, and its rule needs ${needed}. Choose its places again.`;
}

function refusal(message: string): Problem {
  return new Problem("invalid_input", message, { errors: [{ path: "places", message }] });
}
