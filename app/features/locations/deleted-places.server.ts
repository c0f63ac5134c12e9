import type { CircleInput } from "#contracts/test-registry/circles.ts";
import type { Viewer } from "~/session/guards";
import { findSentFrom } from "./sent-from.server";

const message = "This location was deleted. Choose another";
const messageOfPlaces = "One of these locations was deleted. Choose others";

/**
 * The errors of a circle's chosen locations that do not exist, which every run of it would be refused for. Locations that
 * can't be looked up at the moment are not reported.
 */
export async function findDeletedPlaces(
  viewer: Viewer,
  { locationId, places }: Pick<CircleInput, "locationId" | "places">,
): Promise<{ path: "locationId" | "places"; message: string }[]> {
  const found = await findSentFrom(viewer, places ? places.locationIds : [locationId]);
  if (found.every(({ name }) => name !== undefined)) return [];
  return [places ? { path: "places", message: messageOfPlaces } : { path: "locationId", message }];
}
