import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { DifferenceTable } from "~/features/subscriptions/difference-table";
import { organizationWords } from "~/features/subscriptions/operated-subscription-table";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { formatCount } from "~/ui/count/format-count";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ReconciliationState } from "./reconciliation-state";

export const meta: MetaFunction = () => [{ title: "One reconciliation · API Assurance" }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { portalService } = (await requireViewer(request, context)).backend;
  const of = { params: { reconciliationId: String(params.reconciliationId) } };
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const [reconciliation, found, plans] = await Promise.all([
    portalService.getReconciliation(of).then(required),
    portalService.listReconciledDifferences({ ...of, query: { cursor } }).then(required),
    portalService.listOperatedPlans().then(available),
  ]);
  const planNames = Object.fromEntries((plans?.items ?? []).map(({ serviceId, name }) => [serviceId, name]));
  return { reconciliation, found, planNames, cursor, address: request.url };
}

export default function ReconciliationPage() {
  const { reconciliation, found, planNames, cursor, address } = useLoaderData<typeof loader>();
  const { beganAt, endedAt, begunBy, asked, differing, failed } = reconciliation;
  return (
    <>
      <PageHeading
        title="One reconciliation"
        mark={<ReconciliationState {...reconciliation} />}
        breadcrumbs={[
          { label: "Reconciliation", href: href("/administration/system/reconciliations") },
          { label: "One reconciliation" },
        ]}
        actions={
          endedAt === null && (
            <LinkButton href={address} icon="refresh">
              Reload
            </LinkButton>
          )
        }
      />
      <Card title="Details">
        <DefinitionList
          items={[
            { term: "Started", value: <Moment value={beganAt} precise /> },
            endedAt !== null && { term: "Ended", value: <Moment value={endedAt} precise /> },
            { term: "Started by", value: begunBy ? <code>{begunBy}</code> : "Automatically, once a day" },
            { term: "Compared", value: formatCount(asked) },
            { term: "Different", value: formatCount(differing) },
            { term: "Not compared", value: formatCount(failed) },
          ]}
        />
      </Card>
      {endedAt !== null && found.items.length === 0 && !cursor && (
        <Notice tone="success" title="No differences">
          PayPal's data matched for all subscriptions.
        </Notice>
      )}
      {found.items.map(({ subscriptionId, organization, at, differences, failure }) => (
        <Card
          key={subscriptionId}
          title={organizationWords(organization)}
          description={
            <>
              {failure ?? "Updated to PayPal's data"}, <Moment value={at} />
            </>
          }
          actions={
            <LinkButton href={href("/administration/system/subscriptions/:subscriptionId", { subscriptionId })}>
              Show the subscription
            </LinkButton>
          }
          flush
        >
          {differences.length > 0 && (
            <DifferenceTable
              caption={`What was different for ${organizationWords(organization)}`}
              {...{ differences, planNames }}
            />
          )}
        </Card>
      ))}
      <CursorPages label="Pages of differences" {...{ address, cursor }} nextCursor={found.nextCursor} />
    </>
  );
}
