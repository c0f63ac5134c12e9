import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ListPage } from "~/ui/list-page/list-page";
import { LocationTable } from "./location-table";

export const meta: MetaFunction = () => [{ title: "Locations · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.testExecutioner.listLocations({ query: { query, cursor } }));
  return {
    requested: { query, cursor },
    address: request.url,
    locations: page.items,
    nextCursor: page.nextCursor,
    now: new Date().toISOString(),
    mayManage: viewer.may("credentials:manage"),
  };
}

export default function Locations() {
  const { requested, address, locations, nextCursor, now, mayManage } = useLoaderData<typeof loader>();
  return (
    <ListPage
      title="Locations"
      description="Other networks that tests are sent from, by agents."
      one="location"
      many="locations"
      {...{ requested, address, nextCursor }}
      create={mayManage && { href: href("/administration/locations/create"), label: "Create a location" }}
      searchLabel="Search by name"
      isEmpty={locations.length === 0}
      nothingYet={{
        title: "All tests are sent from this portal",
        illustration: "places",
        children: (
          <>
            A location is another network, such as an office or a private cloud: its tests are sent by an agent, a
            command that only calls out. This reaches APIs behind a firewall. See{" "}
            <a href={href("/docs/:chapter", { chapter: "agents" })}>Agents</a>.
            {!mayManage && " An administrator can create the first one."}
          </>
        ),
      }}
    >
      <LocationTable locations={locations} now={now} />
    </ListPage>
  );
}
