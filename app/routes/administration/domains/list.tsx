import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { listAddress } from "~/shell/list-address";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { verificationStates } from "../../../../services/security-service/contract/domains.ts";
import { DomainTable } from "./domain-table";

export const meta: MetaFunction = () => [{ title: "Domains · API Assurance" }];

const states = { verified: "Verified", unverified: "Unverified" } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const state = verificationStates.find((known) => known === search.get("state"));
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.securityService.listDomains({ query: { query, state, cursor } }));
  return {
    filters: { query, state, cursor },
    address: request.url,
    domains: page.items,
    nextCursor: page.nextCursor,
    mayManage: viewer.may("domains:manage"),
  };
}

export default function Domains() {
  const { filters, address, domains, nextCursor, mayManage } = useLoaderData<typeof loader>();
  const { query, state, cursor } = filters;
  const create = mayManage && (
    <LinkButton href={href("/administration/domain/create")} variant="primary" icon="plus">
      Create a domain
    </LinkButton>
  );
  const filtered = Boolean(query || state);
  const nothingYet = domains.length === 0 && !filtered && !cursor;
  const reset = listAddress(address, { query: undefined, state: undefined });
  return (
    <>
      <PageHeading
        title="Domains"
        description="The hosts your tests reach, the proof that they are yours, and what requests to them are authorized with."
        actions={!nothingYet && create}
      />
      {nothingYet ? (
        <EmptyState title="There is no domain yet" icon="lock" action={create}>
          {mayManage
            ? "Create one for the host of an API, prove that it is yours, and store its credentials."
            : "An administrator creates the first one."}
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter domains"
            search={{ label: "Search by name or description", defaultValue: query }}
            resetHref={filtered ? reset : undefined}
          >
            <Select
              label="Ownership"
              labelHidden
              name="state"
              placeholder="Verified or not"
              defaultValue={state}
              options={verificationStates.map((value) => ({ value, label: states[value] }))}
            />
          </FilterBar>
          {domains.length > 0 ? (
            <DomainTable {...{ domains, mayManage }} />
          ) : (
            <EmptyState title="No domain matches" action={<LinkButton href={reset}>Show all domains</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of domains"
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </>
  );
}
