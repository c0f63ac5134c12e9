import { type CirclePlaces, getLeastPlaces, listPlaces } from "#contracts/test-registry/circle-places.ts";
import { plural } from "~/ui/count/plural";
import { Notice } from "~/ui/notice/notice";
import type { SentFrom } from "./sent-from";

interface DeletedPlacesProps {
  places: CirclePlaces;
  /** Its locations; deleted ones have no name. */
  locations: readonly SentFrom[];
  /** Undefined for a viewer who may not change it. */
  editHref: string | undefined;
}

/** What becomes of a circle whose places include deleted locations. Absent while there are none. */
export function DeletedPlaces({ places, locations, editHref }: DeletedPlacesProps) {
  const deleted = locations.filter(({ name }) => name === undefined).length;
  if (deleted === 0) return null;
  const left = listPlaces(places).length - deleted;
  const needed = getLeastPlaces(places);
  const change = editHref ? <a href={editHref}>Choose its places</a> : "Ask an editor to choose its places";
  const were = `${plural(deleted, "location")} of this circle ${deleted === 1 ? "was" : "were"} deleted`;
  if (left < needed) {
    return (
      <Notice tone="danger" title="Runs of this circle are refused">
        {were}; {left === 0 ? "no place is" : `only ${plural(left, "place")} ${left === 1 ? "is" : "are"}`} left, and
        its rule needs {needed}. {change} again.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" title="Sent from fewer places than chosen">
      {were}. Runs continue from the other {left === 1 ? "place" : `${left} places`}. {change} to leave{" "}
      {deleted === 1 ? "it" : "them"} out for good.
    </Notice>
  );
}
