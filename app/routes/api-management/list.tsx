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
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { findStandings } from "~/verdict/find-standings.server";
import { apiSorts } from "../../../services/api-registry/contract/apis.ts";
import { ApiTable } from "./api-table";

export const meta: MetaFunction = () => [{ title: "APIs · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const tag = search.get("tag") || undefined;
  const cursor = search.get("cursor") || undefined;
  const sort = apiSorts.find((known) => known === search.get("sort")) ?? "name";
  const page = required(await viewer.backend.apiRegistry.listApis({ query: { query, tag, cursor, sort } }));
  const standingOf = await findStandings(viewer.backend, page.items);
  return {
    filters: { query, tag, sort, cursor },
    address: request.url,
    nextCursor: page.nextCursor,
    total: page.total,
    knownTags: page.tags,
    mayRegister: viewer.may("apis:write"),
    apis: page.items.map((api) => ({ ...api, ...standingOf(api) })),
  };
}

export default function Apis() {
  const { apis, filters, address, nextCursor, total, knownTags, mayRegister } = useLoaderData<typeof loader>();
  const { query, tag, sort, cursor } = filters;
  const register = mayRegister && (
    <LinkButton href={href("/api-management/register")} variant="primary" icon="plus">
      Register an API
    </LinkButton>
  );
  const filtered = Boolean(query || tag);
  const nothingYet = apis.length === 0 && !filtered && !cursor;
  const reset = listAddress(address, { query: undefined, tag: undefined });
  return (
    <Page>
      <PageHeading title="APIs" actions={!nothingYet && register} />
      {nothingYet ? (
        <EmptyState title="No API is registered yet" action={register}>
          {mayRegister
            ? "Start with the OpenAPI document of an API: its address, its file or its text. What was understood is shown before anything is saved."
            : "Somebody who may change APIs registers the first one from its OpenAPI document."}
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter APIs"
            search={{ label: "Search by name", defaultValue: query }}
            hidden={{ sort: sort === "name" ? undefined : sort }}
            resetHref={filtered ? reset : undefined}
          >
            {knownTags.length > 0 && (
              <Select
                label="Tag"
                labelHidden
                name="tag"
                defaultValue={tag}
                placeholder="Any tag"
                options={knownTags.map((value) => ({ value, label: value }))}
              />
            )}
          </FilterBar>
          {apis.length > 0 ? (
            <ApiTable {...{ apis, address, sort }} />
          ) : (
            <EmptyState title="No API matches" action={<LinkButton href={reset}>Show all APIs</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of APIs"
            summary={total === undefined ? undefined : `${total.toLocaleString("en")} ${total === 1 ? "API" : "APIs"}`}
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </Page>
  );
}
