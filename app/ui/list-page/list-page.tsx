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
  /** What is listed, as in "credential" and "credentials". */
  one: string;
  many: string;
  /** Leads to where one is made; for who may. */
  create?: { href: string; label: string } | false;
  /** What the address says: `query` is what is searched for, `cursor` where the page begins, all others are filters. */
  asked: Readonly<Record<string, string | undefined>>;
  /** Without one, the list is not searched. */
  searchLabel?: string;
  /** Fields that narrow the list beside the search. */
  filters?: ReactNode;
  /** Between the heading and the filters, such as tabs. */
  lead?: ReactNode;
  /** Between the filters and the list. */
  above?: ReactNode;
  /** What to try when nothing matches. */
  noMatch?: ReactNode;
  /** Instead of a list of nothing, where nothing was asked for; left out where a list is never empty. */
  nothingYet?: Pick<EmptyStateProps, "title" | "icon" | "action" | "children">;
  isEmpty: boolean;
  children: ReactNode;
}

/** A page that is a list: searched, narrowed, page by page, with what to do first while there is nothing. */
export function ListPage({ title, description, create, lead, nothingYet, ...list }: ListPageProps) {
  const { cursor, ...filters } = list.asked;
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

function NarrowedList({ one, many, asked, address, nextCursor, isEmpty, ...props }: NarrowedListProps) {
  const { cursor, ...filters } = asked;
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
        <EmptyState title={`No ${one} matches`} action={<LinkButton href={reset}>Show all {many}</LinkButton>}>
          {props.noMatch ?? "Try fewer or other words."}
        </EmptyState>
      ) : (
        props.children
      )}
      <CursorPages label={`Pages of ${many}`} summary={props.summary} {...{ address, cursor, nextCursor }} />
    </>
  );
}
