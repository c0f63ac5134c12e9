import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { CredentialTable } from "~/features/credentials/credential-table";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Credentials for ${data?.domain ?? "a domain"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const domain = params.domain!;
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const { securityService } = viewer.backend;
  const page = required(await securityService.listDomainCredentials({ params: { domain }, query: { cursor } }));
  return {
    domain,
    cursor,
    address: request.url,
    credentials: page.items,
    nextCursor: page.nextCursor,
    mayManage: viewer.may("credentials:manage"),
  };
}

export default function DomainCredentials() {
  const { domain, cursor, address, credentials, nextCursor, mayManage } = useLoaderData<typeof loader>();
  const create = mayManage && (
    <LinkButton href={href("/administration/credentials/create", { domain })} variant="primary" icon="plus">
      Create one for this domain
    </LinkButton>
  );
  const isEmpty = credentials.length === 0;
  return (
    <>
      <PageHeading
        title={`Credentials for ${domain}`}
        description="All credentials that may be sent to this host, including wildcards. Requests that inherit their authorization use them."
        breadcrumbs={[{ label: "Credentials", href: href("/administration/credentials") }, { label: domain }]}
        actions={!isEmpty && create}
      />
      {isEmpty ? (
        <EmptyState title="Requests to it are not allowed" illustration="keys" action={create}>
          No credential matches this domain, so requests are sent without one.
        </EmptyState>
      ) : (
        <CredentialTable caption={`Credentials for ${domain}`} {...{ credentials, mayManage }} />
      )}
      <CursorPages label="Pages of credentials" {...{ address, cursor, nextCursor }} />
    </>
  );
}
