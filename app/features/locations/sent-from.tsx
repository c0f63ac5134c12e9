import { Fragment } from "react";
import type { Location } from "#contracts/test-executioner/locations.ts";
import { href } from "~/href";
import { Notice } from "~/ui/notice/notice";
import { getLocationState } from "./location-words";

/** Where something is sent from. Only the id of a deleted location is known. */
export type SentFrom = { id: string } & (Pick<Location, "name" | "agents" | "lastSeenAt"> | { name?: never });

const toHref = (id: string) => href("/administration/locations/:locationId", { locationId: id });

function LocationLink({ location: { id, name } }: { location: SentFrom }) {
  return name === undefined ? "a deleted location" : <a href={toHref(id)}>{name}</a>;
}

/** The end of a sentence: “, from Berlin office”. */
export function SentFromWords({ locations }: { locations: readonly SentFrom[] }) {
  return locations.map((location, index) => (
    <Fragment key={location.id}>
      {index === 0 ? ", from " : " and "}
      <LocationLink location={location} />
    </Fragment>
  ));
}

/** The name of a location as a value. */
export function SentFromValue({ location }: { location: SentFrom }) {
  return location.name === undefined ? "A deleted location" : <a href={toHref(location.id)}>{location.name}</a>;
}

/** Several places as a value. */
export function PlacesValue({ portal, locations }: { portal: boolean; locations: readonly SentFrom[] }) {
  return (
    <>
      {portal && "This portal"}
      {locations.map((location, index) => (
        <Fragment key={location.id}>
          {(portal || index > 0) && ", "}
          <SentFromValue location={location} />
        </Fragment>
      ))}
    </>
  );
}

interface NotRunNoticeProps {
  /** Locations of tests that wait, or that were skipped. */
  locations: readonly SentFrom[];
}

/** The next step for tests that no agent takes up. Absent while the agents of all locations call. */
export function NotRunNotice({ locations }: NotRunNoticeProps) {
  const silent = locations.filter(
    (location) => location.name === undefined || getLocationState(location) !== "working",
  );
  return silent.map((location) => (
    <Notice
      key={location.id}
      tone="warning"
      title={location.name === undefined ? "The location was deleted" : `No agent of ${location.name} calls`}
    >
      {location.name === undefined ? (
        "Choose another under “Runs from”, at the test, the circle or the environment of the API, and run it again."
      ) : (
        <>
          Start an agent again or add one: see <a href={toHref(location.id)}>{location.name}</a>. Tests are not sent
          from elsewhere instead.
        </>
      )}
    </Notice>
  ));
}

/** What to do about deleted locations that a circle is sent from. Absent while all of them exist. */
export function DeletedPlaceNotice({ locations, editHref }: { locations: readonly SentFrom[]; editHref?: string }) {
  const deleted = locations.filter(({ name }) => name === undefined).length;
  if (deleted === 0) return null;
  return (
    <Notice
      tone="warning"
      title={
        deleted === 1 ? "A location of this circle was deleted" : `${deleted} locations of this circle were deleted`
      }
    >
      Runs of this circle are refused until another is chosen under “Runs from”. Nothing is sent from elsewhere instead.{" "}
      {editHref ? (
        <a href={editHref}>{deleted === 1 ? "Choose another location" : "Choose other locations"}</a>
      ) : (
        "Ask an editor of your organization to choose."
      )}
    </Notice>
  );
}
