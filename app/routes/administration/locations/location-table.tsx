import type { Location } from "#contracts/test-executioner/locations.ts";
import { getLocationState } from "~/features/locations/location-words";
import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { Ago } from "~/ui/moment/ago";
import { type Column, Table } from "~/ui/table/table";
import { LocationState } from "./location-state";

const columnsAt = (now: string): Column<Location>[] => [
  {
    key: "name",
    header: "Location",
    rowHeader: true,
    cell: ({ id, name }) => <a href={href("/administration/locations/:locationId", { locationId: id })}>{name}</a>,
  },
  {
    key: "state",
    header: "State",
    beside: true,
    selfEvident: true,
    cell: (location) => <LocationState location={location} />,
  },
  {
    key: "seen",
    header: "Last call",
    tight: true,
    cell: ({ lastSeenAt }) => (lastSeenAt ? <Ago value={lastSeenAt} now={now} /> : "Never"),
  },
  { key: "description", header: "Description", clipped: true, wideOnly: true, cell: ({ description }) => description },
  {
    key: "agents",
    header: "Active agents",
    numeric: true,
    cell: ({ agents }) => `${formatCount(agents.active)} of ${formatCount(agents.active + agents.silent)}`,
  },
  { key: "waiting", header: "Waiting tests", numeric: true, cell: ({ waiting }) => formatCount(waiting) },
];

/** What is without an agent while tests wait. */
const needsAgent = (location: Location) => location.waiting > 0 && getLocationState(location) !== "working";

export function LocationTable({ locations, now }: { locations: readonly Location[]; now: string }) {
  return (
    <Table
      caption="Locations"
      captionHidden
      columns={columnsAt(now)}
      rows={locations}
      rowKey={({ id }) => id}
      rowEdge={(location) => (needsAgent(location) ? "warning" : null)}
    />
  );
}
