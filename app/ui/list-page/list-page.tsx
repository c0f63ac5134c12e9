import type { ReactNode } from "react";
import { LinkButton } from "~/ui/button/button";
import { EmptyState, type EmptyStateProps } from "~/ui/empty-state/empty-state";
import { FilterBar, type FilterBarProps } from "~/ui/filter-bar/filter-bar";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CursorPages, type CursorPagesProps } from "./cursor-pages";
import { listAddress } from "./list-address";

export interface ListPageProps
  extends Pick<FilterBarProps, "hidden">,
    Pick<CursorPagesProps, "address" | "nextCursor" | "summary"> {
  title: string;
  description?: ReactNode;
  /** The listed resource, such as "credential" and "credentials". */
  one: string;
  many: string;
  /** Link that creates one; for viewers who may. */
  create?: { href: string; label: string } | false;
  /** Parameters of the address: `query` is the search text, `cursor` the start of the page, all others are filters. */
  requested: Readonly<Record<string, string | undefined>>;
  /** Without it the list has no search field. */
  searchLabel?: string;
  /** Filter fields next to the search. */
  filters?: ReactNode;
  /** Between the heading and the filters, such as tabs. */
  lead?: ReactNode;
  /** Between the filters and the list. */
  above?: ReactNode;
  /** The suggestion when nothing matches. */
  noMatch?: ReactNode;
  /** Replaces an empty list without filters; omitted if a list is never empty. */
  nothingYet?: Pick<EmptyStateProps, "title" | "illustration" | "action" | "children">;
  isEmpty: boolean;
  children: ReactNode;
}

/** A page with a list: search, filters and pagination, and the first step while it is empty. */
export function ListPage({ title, description, create, lead, nothingYet, ...list }: ListPageProps) {
  const { cursor, ...filters } = list.requested;
  const isBeginning = nothingYet && list.isEmpty && !cursor && !Object.values(filters).some(Boolean);
  const createLink = create && (
    <LinkButton href={create.href} variant="primary" icon="plus">
      {create.label}
    </LinkButton>
  );
  return (
    <>
      <PageHeading title={title} description={description} actions={!isBeginning && createLink} />
      {lead}
      {isBeginning ? <EmptyState action={createLink} {...nothingYet} /> : <NarrowedList {...list} />}
    </>
  );
}

type NarrowedListProps = Omit<ListPageProps, "title" | "description" | "create" | "lead" | "nothingYet">;

function NarrowedList({ one, many, requested, address, nextCursor, isEmpty, ...props }: NarrowedListProps) {
  const { cursor, ...filters } = requested;
  const isNarrowed = Object.values(filters).some(Boolean);
  const reset = listAddress(address, Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])));
  return (
    <>
      <FilterBar
        label={`Filter ${many}`}
        search={props.searchLabel ? { label: props.searchLabel, defaultValue: filters.query } : undefined}
        hidden={props.hidden}
        resetHref={isNarrowed ? reset : undefined}
      >
        {props.filters}
      </FilterBar>
      {props.above}
      {isEmpty ? (
        <EmptyState
          illustration="search"
          title={`No matching ${many}`}
          action={<LinkButton href={reset}>Show all {many}</LinkButton>}
        >
          {props.noMatch ?? "Try fewer or other words."}
        </EmptyState>
      ) : (
        props.children
      )}
      <CursorPages label={`Pages of ${many}`} summary={props.summary} {...{ address, cursor, nextCursor }} />
    </>
  );
}
