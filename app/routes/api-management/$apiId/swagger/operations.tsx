import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { OperationSummary } from "#contracts/api-registry/operations.ts";
import { required } from "~/backend/responses";
import { groupKeyIn, groupName, inAddress, readGroups, writeGroups } from "~/features/operation/operation-group";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, getApiName } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { type Column, Table } from "~/ui/table/table";
import { requireApiSummary } from "../api-summary.server";
import { loadSidebar, maxListedOperations } from "./sidebar.server";
import { ViewerFrame } from "./viewer-frame";

export const meta: MetaFunction = ({ matches }) => [{ title: `Operations of ${getApiName(matches)} · API Assurance` }];

export const handle: ApiPageHandle = { makesPage: true };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const group = groupKeyIn(search);
  const cursor = search.get("cursor") || undefined;
  const summary = await requireApiSummary(viewer, apiId);
  const [page, sidebar] = await Promise.all([
    // The first page is as long as the sidebar's, so that one request serves both.
    viewer.backend.apiRegistry
      .listOperations({
        params: { apiId },
        query: { limit: maxListedOperations, query, cursor, ...(group && inAddress(group)) },
      })
      .then(required),
    loadSidebar(viewer, summary, { query, group, opened: readGroups(search) }),
  ]);
  return { apiId, page, sidebar, query, group, cursor, address: request.url };
}

const columnsFor = (apiId: string, open: string | undefined): Column<OperationSummary>[] => [
  {
    key: "operation",
    header: "Operation",
    rowHeader: true,
    cell: (operation) => (
      <a
        href={href(
          "/api-management/:apiId/swagger/operation",
          { apiId },
          { method: operation.method, path: operation.path, open },
        )}
      >
        <OperationName {...operation} inColumn />
      </a>
    ),
  },
  {
    key: "summary",
    header: "What it does",
    cell: ({ summary, operationId, deprecated }) => (
      <>
        {summary || operationId} {deprecated && <Badge tone="warning">Deprecated</Badge>}
      </>
    ),
  },
  {
    key: "tags",
    header: "Tags",
    cell: ({ tags }) =>
      tags.length === 0
        ? "–"
        : tags.map((tag, index) => (
            <span key={tag}>
              {index > 0 && ", "}
              <a href={href("/api-management/:apiId/swagger/operations", { apiId }, { tag })}>{tag}</a>
            </span>
          )),
  },
  { key: "responses", header: "Responses", cell: ({ responseStatuses }) => responseStatuses.join(", ") || "–" },
];

const descriptions = {
  tag: "Operations with this tag.",
  prefix: "Operations without a tag under this part of the path.",
};

export default function Operations() {
  const { apiId, page, sidebar, query, group, cursor, address } = useLoaderData<typeof loader>();
  const title = query ? `Operations with “${query}”` : group ? groupName(group) : "Operations";
  return (
    <ViewerFrame sidebar={sidebar}>
      <PageHeading title={title} description={group?.name && !query ? descriptions[group.kind] : undefined} />
      {page.items.length > 0 ? (
        <Table
          caption="Operations"
          captionHidden
          columns={columnsFor(apiId, writeGroups(sidebar.opened))}
          rows={page.items}
          rowKey={({ method, path }) => `${method} ${path}`}
        />
      ) : (
        <EmptyState
          title="No matching operations"
          action={
            <LinkButton href={href("/api-management/:apiId/swagger/operations", { apiId })}>
              Show all operations
            </LinkButton>
          }
        >
          {query ? "Try fewer or other words." : "Not in the document."}
        </EmptyState>
      )}
      <CursorPages
        label="Pages of operations"
        summary={page.total === undefined ? undefined : plural(page.total, "operation")}
        {...{ address, cursor }}
        nextCursor={page.nextCursor}
      />
    </ViewerFrame>
  );
}
