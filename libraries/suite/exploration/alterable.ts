import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { PlannedCall } from "../plan/calls.ts";
import { listBoundaries } from "./boundaries.ts";
import { listPlaces, type Place } from "./places.ts";
import type { Scene } from "./scene.ts";

/** A place of a request that changes one, with two values of which at least one is another than before. */
export interface Alterable {
  place: Place;
  values: [unknown, unknown];
}

export function findChanging({ resource }: Pick<Scene, "resource">): OperationKey | undefined {
  return resource?.operations.change ?? resource?.operations.replace;
}

export function listAlterable(described: OperationWithComponents, call: PlannedCall): Alterable[] {
  const source = { find: (reference: string) => described.components[reference] };
  return listPlaces(described, call).flatMap((place): Alterable[] => {
    if (!place.key.startsWith("body ")) return [];
    const values = listBoundaries(place.schema, source).filter(({ value, mayRefuse }) => value !== null && !mayRefuse);
    const [one, other] = values;
    return one && other ? [{ place, values: [one.value, other.value] }] : [];
  });
}
