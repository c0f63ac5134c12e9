import * as fc from "fast-check";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import type { PlannedCall } from "../plan/calls.ts";
import { arbitraryOf } from "./arbitraries.ts";
import { type Change, listPlaces } from "./places.ts";

/** The members of a body that a valid call leaves out, with a value each. */
export function listOptional(described: OperationWithComponents, call: PlannedCall, seed: number): Change[] {
  const source = { find: (reference: string) => described.components[reference] };
  return listPlaces(described, call).flatMap((place): Change[] => {
    if (place.usual !== undefined || !place.key.startsWith("body ")) return [];
    const arbitrary = arbitraryOf(place.schema, source);
    const values = arbitrary ? fc.sample(arbitrary, { seed, numRuns: 5 }) : [];
    const checker = () => new ValueChecker("request", source);
    // An empty one shows less.
    const valid = values.filter((value) => checker().isValid(value, place.schema));
    const value = valid.find((one) => one !== null && one !== "" && one !== false) ?? valid[0];
    return value === undefined ? [] : [{ place, value }];
  });
}
