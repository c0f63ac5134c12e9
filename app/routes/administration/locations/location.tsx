import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { deletionWords, revocationWords } from "~/features/locations/location-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { Dialog } from "~/ui/dialog/dialog";
import { Ago } from "~/ui/moment/ago";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Stats } from "~/ui/stat/stat";
import { AgentCard } from "./agent-card";
import { actOnLocation } from "./location-action.server";
import { LocationState } from "./location-state";
import { findLocationUse } from "./location-use.server";
import { SettingsForm } from "./settings-form";
import { SilentNotice } from "./silent-notice";
import { UseCard } from "./use-card";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.location.name ?? "Location"} · API Assurance` },
];

const list = href("/administration/locations");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const locationId = params.locationId!;
  const { testExecutioner } = viewer.backend;
  const search = new URL(request.url).searchParams;
  const [location, agents, use] = await Promise.all([
    testExecutioner.getLocation({ params: { locationId } }).then(required),
    testExecutioner.listAgents({ params: { locationId } }).then(required),
    findLocationUse(viewer, locationId),
  ]);
  const mayManage = viewer.may("credentials:manage");
  return {
    ...{ location, use, mayManage },
    agents: agents.items,
    toRevoke: mayManage
      ? agents.items.find(({ id, state }) => id === search.get("revoke") && state !== "revoked")
      : undefined,
    asksToDelete: mayManage && search.get("dialog") === "delete",
    now: new Date().toISOString(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await actOnLocation(await readForm(request), { viewer, context, locationId: params.locationId! });
}

export default function LocationPage() {
  const { location, agents, use, mayManage, toRevoke, asksToDelete, now } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { id: locationId, name, description, waiting, running, lastSeenAt } = location;
  const here = href("/administration/locations/:locationId", { locationId });
  return (
    <>
      <PageHeading
        title={name}
        mark={<LocationState location={location} />}
        description={description || undefined}
        breadcrumbs={[{ label: "Locations", href: list }, { label: name }]}
        actions={
          mayManage && (
            <>
              <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
                Delete
              </LinkButton>
              <LinkButton
                href={href("/administration/locations/:locationId/add-agent", { locationId })}
                variant="primary"
                icon="plus"
              >
                Add an agent
              </LinkButton>
            </>
          )
        }
      />
      <SilentNotice location={location} now={now} />
      <Stats
        items={[
          { label: "Waiting tests", value: formatCount(waiting) },
          { label: "Running tests", value: formatCount(running) },
          { label: "Last call", value: lastSeenAt ? <Ago value={lastSeenAt} now={now} /> : "Never" },
        ]}
      />
      <AgentCard {...{ agents, now, mayManage }} />
      <UseCard use={use} />
      {mayManage && <SettingsForm location={location} action={here} result={result} />}
      {toRevoke && (
        <Dialog
          title={`Revoke ${toRevoke.name}?`}
          message={revocationWords(toRevoke, location)}
          cancelName="Keep it"
          cancelHref={here}
          action={here}
          fields={{ agentId: toRevoke.id }}
          actions={[{ name: "Revoke agent", value: "revoke", style: "danger" }]}
        />
      )}
      {asksToDelete && (
        <Dialog
          title={`Delete ${name}?`}
          message={deletionWords(location, use)}
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete location", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
