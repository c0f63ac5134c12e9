import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import type { CircleParams } from "~/features/circles/circle-addresses";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { circleCrumbs } from "./circle-crumbs";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Subscribers");

export const handle = { crumbs: circleCrumbs };

const toAddress = (circle: CircleParams) =>
  href("/test-management/:apiId/test-circles/:testCircleId/status-page/subscribers", circle);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as CircleParams;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const [, page] = await Promise.all([
    viewer.backend.testRegistry.getCircle({ params: location }).then(required),
    viewer.backend.testAnalyzer.listStatusSubscribers({ params: location, query: { cursor } }).then(required),
  ]);
  return {
    place: location,
    subscribers: page.items,
    total: page.total ?? page.items.length,
    nextCursor: page.nextCursor,
    toRemove: page.items.find(({ id }) => id === search.get("remove")),
    address: request.url,
    cursor,
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as CircleParams;
  const subscriberId = String((await readForm(request)).get("subscriberId") ?? "");
  const removal = { params: { ...location, subscriberId } };
  required(await viewer.backend.testAnalyzer.removeStatusSubscriber(removal));
  return redirectWithToast(context, toAddress(location), "The subscriber is removed.");
}

export default function Subscribers() {
  const { place, subscribers, total, toRemove, address, cursor, nextCursor } = useLoaderData<typeof loader>();
  const here = toAddress(place);
  return (
    <>
      <PageHeading
        title="Subscribers of the status page"
        description={`${plural(total, "address", "addresses")} confirmed that they want its updates. They are deleted with the page.`}
        actions={
          <>
            <LinkButton href={href("/test-management/:apiId/test-circles/:testCircleId/status-page", place)}>
              Status page
            </LinkButton>
            {total > 0 && (
              <LinkButton
                href={href("/test-management/:apiId/test-circles/:testCircleId/status-page/subscribers.csv", place)}
                icon="download"
              >
                Export
              </LinkButton>
            )}
          </>
        }
      />
      {subscribers.length === 0 ? (
        <EmptyState title="No one has subscribed yet">The status page leads to a form for it.</EmptyState>
      ) : (
        <Table
          caption="Subscribers, newest first"
          captionHidden
          rows={subscribers}
          rowKey={({ id }) => id}
          columns={[
            { key: "email", header: "Address", rowHeader: true, cell: ({ email }) => email },
            { key: "since", header: "Confirmed", cell: ({ confirmedAt }) => <Moment value={confirmedAt} /> },
            {
              key: "remove",
              header: "Remove",
              cell: ({ id, email }) => (
                <LinkButton href={`${here}?remove=${id}`} size="small" variant="quiet" icon="trash">
                  Remove<VisuallyHidden> {email}</VisuallyHidden>
                </LinkButton>
              ),
            },
          ]}
        />
      )}
      <CursorPages label="Pages of subscribers" {...{ address, cursor, nextCursor }} />
      {toRemove && (
        <Dialog
          title={`Remove ${toRemove.email}?`}
          message="No more updates are sent there. No email says so, and the address may subscribe again."
          cancelHref={here}
          action={here}
          fields={{ subscriberId: toRemove.id }}
          actions={[{ name: "Remove", value: "remove", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
