import type { ReactNode } from "react";
import { LinkButton } from "~/ui/button/button";
import { EmptyState, type EmptyStateProps } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";

export interface ListPageProps {
  title: string;
  description: ReactNode;
  /** What is listed, as in "credential" and "credentials". */
  one: string;
  many: string;
  /** Leads to where one is made; for who may. */
  create: { href: string; label: string } | false;
  /** What the address says: `query` is what is searched for, `cursor` where the page begins, all others are filters. */
  asked: Readonly<Record<string, string | undefined>>;
  address: string;
  nextCursor: string | null;
  searchLabel: string;
  /** Fields that narrow the list beside the search. */
  filters?: ReactNode;
  /** Instead of a list of nothing, for whoever has not asked for anything. */
  nothingYet: Pick<EmptyStateProps, "title" | "icon" | "children">;
  isEmpty: boolean;
  children: ReactNode;
}

/** A page that is a list: searched, narrowed, page by page, with what to do first while there is nothing. */
export function ListPage(props: ListPageProps) {
  const { title, description, one, many, create, asked, address, nextCursor, nothingYet, isEmpty } = props;
  const { cursor, ...filters } = asked;
  const isNarrowed = Object.values(filters).some(Boolean);
  const reset = listAddress(address, Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])));
  const isBeginning = isEmpty && !isNarrowed && !cursor;
  const createLink = create && (
    <LinkButton href={create.href} variant="primary" icon="plus">
      {create.label}
    </LinkButton>
  );
  return (
    <>
      <PageHeading title={title} description={description} actions={!isBeginning && createLink} />
      {isBeginning ? (
        <EmptyState {...nothingYet} action={createLink} />
      ) : (
        <>
          <FilterBar
            label={`Filter ${many}`}
            search={{ label: props.searchLabel, defaultValue: filters.query }}
            resetHref={isNarrowed ? reset : undefined}
          >
            {props.filters}
          </FilterBar>
          {isEmpty ? (
            <EmptyState title={`No ${one} matches`} action={<LinkButton href={reset}>Show all {many}</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          ) : (
            props.children
          )}
          <Pagination
            label={`Pages of ${many}`}
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </>
  );
}
