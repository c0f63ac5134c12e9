import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import type { ListedApis } from "./api-list.server";
import { ApiTable } from "./api-table";

export interface ApiListProps {
  title: string;
  description?: string;
  listed: ListedApis;
}

/** The APIs of the organization, to look over or to choose from. */
export function ApiList({ title, description, listed }: ApiListProps) {
  const { apis, filters, address, nextCursor, total, knownTags, mayRegister, now } = listed;
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
    <>
      <PageHeading title={title} description={description} actions={!nothingYet && register} />
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
            <ApiTable {...{ apis, address, sort, now }} />
          ) : (
            <EmptyState title="No API matches" action={<LinkButton href={reset}>Show all APIs</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of APIs"
            summary={total === undefined ? undefined : plural(total, "API")}
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </>
  );
}
