import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { userRoles } from "#contracts/security-service/users.ts";
import { required } from "~/backend/answers";
import { roleName } from "~/features/people/role-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { UserTable } from "./user-table";

export const meta: MetaFunction = () => [{ title: "Users · API Assurance" }];

const states = { enabled: "Can sign in", disabled: "Disabled" } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const role = userRoles.find((known) => known === search.get("role"));
  const state = (Object.keys(states) as (keyof typeof states)[]).find((known) => known === search.get("state"));
  const cursor = search.get("cursor") || undefined;
  const page = required(await backend.securityService.listUsers({ query: { query, role, state, cursor } }));
  return {
    filters: { query, role, state, cursor },
    users: page.items,
    nextCursor: page.nextCursor,
    address: request.url,
    ownId: session.id,
  };
}

export default function Users() {
  const { filters, users, nextCursor, address, ownId } = useLoaderData<typeof loader>();
  const { query, role, state, cursor } = filters;
  const reset = listAddress(address, { query: undefined, role: undefined, state: undefined });
  return (
    <>
      <PageHeading
        title="Users"
        description="Everyone in your organization and what they may do."
        actions={
          <LinkButton href={href("/administration/user-management/invite")} variant="primary" icon="plus">
            Invite people
          </LinkButton>
        }
      />
      <FilterBar
        label="Filter users"
        search={{ label: "Search by name or e-mail", defaultValue: query }}
        resetHref={query || role || state ? reset : undefined}
      >
        <Select
          label="Role"
          labelHidden
          name="role"
          placeholder="Any role"
          defaultValue={role}
          options={userRoles.map((value) => ({ value, label: roleName(value) }))}
        />
        <Select
          label="State"
          labelHidden
          name="state"
          placeholder="Any state"
          defaultValue={state}
          options={Object.entries(states).map(([value, label]) => ({ value, label }))}
        />
      </FilterBar>
      {users.length > 0 ? (
        <UserTable {...{ users, ownId }} />
      ) : (
        <EmptyState title="No user matches" action={<LinkButton href={reset}>Show all users</LinkButton>}>
          The search matches beginnings of words, in names, usernames and e-mail addresses.
        </EmptyState>
      )}
      <Pagination
        label="Pages of users"
        firstHref={cursor ? listAddress(address, {}) : undefined}
        nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
      />
    </>
  );
}
