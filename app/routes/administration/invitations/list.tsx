import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { rolesInWords } from "~/features/people/role-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { InvitationStatus } from "./invitation-status";
import { type Filter, filters } from "./invitation-words";

export const meta: MetaFunction = () => [{ title: "Invitations · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const state = (Object.keys(filters) as Filter[]).find((known) => known === search.get("state")) ?? "open";
  const cursor = search.get("cursor") || undefined;
  const { listInvitations } = backend.securityService;
  const page = required(await listInvitations({ query: { query, cursor, status: filters[state].statuses } }));
  return {
    ...{ query, state, cursor },
    invitations: page.items,
    nextCursor: page.nextCursor,
    address: request.url,
  };
}

export default function Invitations() {
  const { query, state, cursor, invitations, nextCursor, address } = useLoaderData<typeof loader>();
  const all = listAddress(address, { query: undefined, state: "all" });
  return (
    <>
      <PageHeading
        title="Invitations"
        description="Email invitations and their status."
        actions={
          <LinkButton href={href("/administration/user-management/invite")} variant="primary" icon="plus">
            Invite people
          </LinkButton>
        }
      />
      <FilterBar
        label="Filter invitations"
        search={{ label: "Search by email", defaultValue: query }}
        resetHref={query || state !== "open" ? listAddress(address, { query: undefined, state: undefined }) : undefined}
      >
        <Select
          label="State"
          labelHidden
          name="state"
          defaultValue={state}
          options={Object.entries(filters).map(([value, { label }]) => ({ value, label }))}
        />
      </FilterBar>
      {invitations.length > 0 ? (
        <Table
          caption="Invitations, newest first"
          captionHidden
          rows={invitations}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "email",
              header: "Email",
              rowHeader: true,
              cell: ({ id, email }) => (
                <a href={href("/administration/user-management/invites/:invitationId", { invitationId: id })}>
                  {email}
                </a>
              ),
            },
            {
              key: "state",
              header: "State",
              tight: true,
              selfEvident: true,
              cell: (invitation) => <InvitationStatus invitation={invitation} />,
            },
            { key: "roles", header: "Roles", selfEvident: true, cell: ({ roles }) => rolesInWords(roles) },
            { key: "by", header: "Invited by", wideOnly: true, cell: ({ invitedBy }) => invitedBy },
            {
              key: "invited",
              header: "Invited",
              tight: true,
              wideOnly: true,
              cell: ({ createdAt }) => <Moment value={createdAt} />,
            },
            {
              key: "ends",
              header: "Valid until",
              tight: true,
              wideOnly: true,
              cell: ({ expiresAt }) => <Moment value={expiresAt} />,
            },
          ]}
        />
      ) : (
        <EmptyState
          illustration={query ? "search" : "people"}
          title={query ? "No matching invitations" : state === "open" ? "No open invitations" : "No invitations"}
          action={state !== "all" && <LinkButton href={all}>Show all invitations</LinkButton>}
        >
          {query
            ? "Matches the start of words, on both sides of the @."
            : "People you invite get their own link by email and create their account with it."}
        </EmptyState>
      )}
      <CursorPages label="Pages of invitations" {...{ address, cursor, nextCursor }} />
    </>
  );
}
