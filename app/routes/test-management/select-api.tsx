import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { listAddress } from "~/shell/list-address";
import { Page } from "~/shell/page/page";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { type Column, Table } from "~/ui/table/table";
import { findStandings } from "~/verdict/find-standings.server";
import { LastVerdicts } from "~/verdict/last-verdicts";

export const meta: MetaFunction = () => [{ title: "Choose an API to test · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.apiRegistry.listApis({ query: { query, cursor } }));
  const standingOf = await findStandings(viewer.backend, page.items);
  return {
    query,
    address: request.url,
    onLaterPage: Boolean(cursor),
    nextCursor: page.nextCursor,
    mayRegister: viewer.may("apis:write"),
    apis: page.items.map(({ id, name, version, operationCount }) => ({
      id,
      name,
      version,
      operationCount,
      ...standingOf({ id }),
    })),
  };
}

type Row = ReturnType<typeof useLoaderData<typeof loader>>["apis"][number];

const columns: Column<Row>[] = [
  {
    key: "name",
    header: "API",
    rowHeader: true,
    cell: ({ id, name }) => <a href={href("/test-management/:apiId/manage", { apiId: id })}>{name}</a>,
  },
  { key: "version", header: "Version", cell: ({ version }) => version || "–" },
  { key: "operations", header: "Operations", numeric: true, cell: ({ operationCount }) => operationCount },
  {
    key: "tests",
    header: "Tests",
    numeric: true,
    cell: ({ id, testCount }) => (
      <a href={href("/test-management/:apiId/tests", { apiId: id })}>{testCount ?? "unknown"}</a>
    ),
  },
  { key: "verdicts", header: "Last verdicts", cell: ({ executions }) => <LastVerdicts counts={executions} /> },
  {
    key: "finished",
    header: "Last run",
    cell: ({ executions }) => {
      if (executions === undefined) return "unknown";
      return executions?.lastFinishedAt ? <Moment value={executions.lastFinishedAt} /> : "Never";
    },
  },
];

export default function SelectApi() {
  const { apis, query, address, onLaterPage, nextCursor, mayRegister } = useLoaderData<typeof loader>();
  const register = mayRegister && (
    <LinkButton href={href("/api-management/register")} variant="primary" icon="plus">
      Register an API
    </LinkButton>
  );
  const nothingYet = apis.length === 0 && !query && !onLaterPage;
  return (
    <Page>
      <PageHeading
        title="Choose an API to test"
        description="Tests belong to an API. Open one to see which of its operations are tested and how they did."
      />
      {nothingYet ? (
        <EmptyState title="No API is registered yet" action={register}>
          Register an API from its OpenAPI document first; then make tests for its operations.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter APIs"
            search={{ label: "Search by name", defaultValue: query }}
            submitLabel="Search"
            resetHref={query && listAddress(address, { query: undefined })}
          />
          {apis.length > 0 ? (
            <Table caption="APIs" captionHidden columns={columns} rows={apis} rowKey={({ id }) => id} />
          ) : (
            <EmptyState
              title="No API matches"
              action={<LinkButton href={listAddress(address, { query: undefined })}>Show all APIs</LinkButton>}
            >
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of APIs"
            firstHref={onLaterPage ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </Page>
  );
}
