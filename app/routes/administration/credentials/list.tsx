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
import { TextField } from "~/ui/text-field/text-field";
import { CredentialTable } from "./credential-table";

export const meta: MetaFunction = () => [{ title: "Credentials · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const domain = search.get("domain")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const page = required(await viewer.backend.securityService.listCredentials({ query: { query, domain, cursor } }));
  return {
    filters: { query, domain, cursor },
    address: request.url,
    credentials: page.items,
    nextCursor: page.nextCursor,
    mayManage: viewer.may("credentials:manage"),
  };
}

export default function Credentials() {
  const { filters, address, credentials, nextCursor, mayManage } = useLoaderData<typeof loader>();
  const { query, domain, cursor } = filters;
  const create = mayManage && (
    <LinkButton href={href("/administration/credentials/create")} variant="primary" icon="plus">
      Create a credential
    </LinkButton>
  );
  const filtered = Boolean(query || domain);
  const nothingYet = credentials.length === 0 && !filtered && !cursor;
  const reset = listAddress(address, { query: undefined, domain: undefined });
  return (
    <>
      <PageHeading
        title="Credentials"
        description="What tests prove themselves with. A secret is sent to its own domain only, and never shown again."
        actions={!nothingYet && create}
      />
      {nothingYet ? (
        <EmptyState title="No credential is stored yet" icon="key" action={create}>
          {mayManage
            ? "An API that asks for a user name, a token or a key is tested with a credential stored here."
            : "An administrator stores the first one; tests can then use it by its name."}
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter credentials"
            search={{ label: "Search by name or domain", defaultValue: query }}
            resetHref={filtered ? reset : undefined}
          >
            <TextField
              label="Fits the host"
              labelHidden
              name="domain"
              defaultValue={domain}
              placeholder="Fits the host"
              autoCapitalize="none"
              inputMode="url"
            />
          </FilterBar>
          {credentials.length > 0 ? (
            <CredentialTable caption="Credentials" {...{ credentials, mayManage }} />
          ) : (
            <EmptyState
              title="No credential matches"
              action={<LinkButton href={reset}>Show all credentials</LinkButton>}
            >
              Try fewer or other words.
            </EmptyState>
          )}
          <Pagination
            label="Pages of credentials"
            firstHref={cursor ? listAddress(address, {}) : undefined}
            nextHref={nextCursor ? listAddress(address, { cursor: nextCursor }) : undefined}
          />
        </>
      )}
    </>
  );
}
