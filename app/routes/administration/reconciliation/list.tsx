import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { ReconciliationState } from "./reconciliation-state";

export const meta: MetaFunction = () => [{ title: "Reconciliation · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const page = required(await backend.portalService.listReconciliations({ query: { cursor } }));
  return { ...page, cursor, address: request.url };
}

/** Starts a reconciliation, or leads to the one in progress. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const { id: reconciliationId } = required(await backend.portalService.createReconciliation());
  const page = href("/administration/system/reconciliations/:reconciliationId", { reconciliationId });
  return redirectWithToast(context, page, "Reconciling. Reload the page to see progress.");
}

export default function Reconciliations() {
  const { items, nextCursor, cursor, address } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Reconciliation"
        description="Active subscriptions and their payments are compared with PayPal daily. PayPal's data wins; differences are listed here."
        actions={
          <form method="post">
            <Button variant="primary" icon="refresh">
              Reconcile now
            </Button>
          </form>
        }
      />
      {items.length === 0 ? (
        <EmptyState title="No reconciliations yet">
          The first one is a day after the first subscription, unless you start it now.
        </EmptyState>
      ) : (
        <Table
          caption="Reconciliations, the newest first"
          captionHidden
          rows={items}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "began",
              header: "Started",
              rowHeader: true,
              cell: ({ id, beganAt }) => (
                <a href={href("/administration/system/reconciliations/:reconciliationId", { reconciliationId: id })}>
                  <Moment value={beganAt} />
                </a>
              ),
            },
            { key: "state", header: "State", selfEvident: true, cell: (one) => <ReconciliationState {...one} /> },
            {
              key: "why",
              header: "Started by",
              wideOnly: true,
              cell: ({ begunBy }) => (begunBy ? "An operator" : "Automatically"),
            },
            { key: "asked", header: "Compared", numeric: true, cell: ({ asked }) => formatCount(asked) },
            { key: "differing", header: "Different", numeric: true, cell: ({ differing }) => formatCount(differing) },
            { key: "failed", header: "Not compared", numeric: true, cell: ({ failed }) => formatCount(failed) },
          ]}
        />
      )}
      <CursorPages label="Pages of reconciliations" {...{ address, cursor, nextCursor }} />
    </>
  );
}
