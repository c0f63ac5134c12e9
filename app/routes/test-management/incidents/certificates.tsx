import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { getLifeWords } from "./certificate-life";

export const meta: MetaFunction = () => [{ title: "Certificates · API Assurance" }];

/** Maximum number of APIs that one call names; the link of an API beyond them still works. */
const namedApis = 200;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const [host, cursor] = ["host", "cursor"].map((name) => search.get(name) || undefined);
  const [page, apis] = await Promise.all([
    backend.testAnalyzer.listCertificates({ query: { host, cursor } }).then(required),
    backend.apiRegistry.listApis({ query: { limit: namedApis } }).then(available),
  ]);
  const names = new Map(apis?.items.map(({ id, name }) => [id, name]));
  return {
    ...{ host, cursor },
    certificates: page.items.map((one) => ({ ...one, apiName: names.get(one.apiId) ?? "Its API" })),
    nextCursor: page.nextCursor,
    address: request.url,
  };
}

export default function Certificates() {
  const { host, cursor, certificates, nextCursor, address } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading
        title={host ? `Certificate of ${host}` : "Certificates"}
        description="Latest certificate of each tested host. Alerts are sent 30, 14 and 3 days before expiry to the channels of the API's alert rule, or else the organization's."
        actions={
          host && <LinkButton href={listAddress(address, { host: undefined })}>Show all certificates</LinkButton>
        }
      />
      {certificates.length > 0 ? (
        <Table
          caption="Certificates by expiry date"
          captionHidden
          rows={certificates}
          rowKey={({ id }) => id}
          columns={[
            { key: "host", header: "Host", rowHeader: true, cell: ({ host }) => host },
            {
              key: "life",
              header: "Expires",
              cell: ({ daysLeft }) => {
                const { words, tone } = getLifeWords(daysLeft);
                return <Badge tone={tone}>{words}</Badge>;
              },
            },
            { key: "validTo", header: "On", cell: ({ validTo }) => <Moment value={validTo} /> },
            { key: "issuer", header: "Issued by", cell: ({ issuer }) => issuer },
            {
              key: "warned",
              header: "Warned",
              cell: ({ warnedDays }) => (warnedDays === null ? "–" : `${warnedDays} days before`),
            },
            {
              key: "api",
              header: "Seen by tests of",
              cell: ({ apiId, apiName }) => <a href={href("/test-management/:apiId/manage", { apiId })}>{apiName}</a>,
            },
          ]}
        />
      ) : (
        <EmptyState title={host ? "No test has received a certificate from this host" : "No certificates yet"}>
          Certificates appear here after a test receives a response over HTTPS, and disappear after 31 days without one.
        </EmptyState>
      )}
      <CursorPages label="Pages of certificates" {...{ address, cursor, nextCursor }} />
    </Page>
  );
}
