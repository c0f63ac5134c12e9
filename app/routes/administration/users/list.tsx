import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { userRoles } from "#contracts/security-service/users.ts";
import { required } from "~/backend/responses";
import { roleName } from "~/features/people/role-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ListPage } from "~/ui/list-page/list-page";
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
  return (
    <ListPage
      title="Users"
      description="Everyone in your organization and their permissions."
      one="user"
      many="users"
      requested={filters}
      {...{ address, nextCursor }}
      create={{ href: href("/administration/user-management/invite"), label: "Invite people" }}
      searchLabel="Search by name or email"
      filters={
        <>
          <Select
            label="Role"
            labelHidden
            name="role"
            placeholder="Any role"
            defaultValue={filters.role}
            options={userRoles.map((value) => ({ value, label: roleName(value) }))}
          />
          <Select
            label="State"
            labelHidden
            name="state"
            placeholder="Any state"
            defaultValue={filters.state}
            options={Object.entries(states).map(([value, label]) => ({ value, label }))}
          />
        </>
      }
      noMatch="Matches the start of words, in names, usernames and email addresses."
      isEmpty={users.length === 0}
    >
      <UserTable {...{ users, ownId }} />
    </ListPage>
  );
}
