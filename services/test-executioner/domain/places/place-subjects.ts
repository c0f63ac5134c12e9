import { toHashId } from "../hash-id.ts";
import type { PlaceId } from "./judged-places.ts";

/** How the portal itself is called where a location would have its id. */
export const portalName = "portal";

/** Under which id the results of a test or circle from one of several places are counted. */
export function toPlaceSubject(subjectId: string, placeId: PlaceId): string {
  return toHashId(`${subjectId} ${placeId ?? portalName}`);
}
