import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { AuditBreak } from "#contracts/kit/audit-records.ts";
import { partsByService } from "~/backend/parts";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { Badge } from "~/ui/badge/badge";
import { formatCount } from "~/ui/count/format-count";
import { Moment } from "~/ui/moment/moment";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { type CheckedChain, checkChains } from "./chains.server";

export const meta: MetaFunction = () => [{ title: "Audit log integrity · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  return { chains: await checkChains(backend) };
}

export default function AuditChain() {
  const { chains } = useLoaderData<typeof loader>();
  const broken = chains.flatMap(({ service, chain }) => chain?.breaks.map((one) => ({ ...one, service })) ?? []);
  return (
    <>
      <PageHeading
        title="Audit log integrity"
        description="Each service chains its records by hash, so that removed or changed records are detected. All records were just checked."
        breadcrumbs={[{ label: "Audit log", href: href("/administration/audit-log") }]}
      />
      {broken.length > 0 && (
        <Notice tone="danger" title="The audit log was altered">
          Records were changed directly in the database. Records before the first break are intact.
        </Notice>
      )}
      <Table
        caption="Records by service"
        captionHidden
        rows={chains}
        rowKey={({ service }) => service}
        columns={[
          { key: "service", header: "Service", rowHeader: true, cell: ({ service }) => service },
          {
            key: "part",
            header: "Responsible for",
            selfEvident: true,
            cell: ({ service }) => partsByService[service] ?? "",
          },
          { key: "state", header: "Records", selfEvident: true, beside: true, cell: (one) => <State {...one} /> },
          { key: "length", header: "Checked", numeric: true, cell: ({ chain }) => chain && formatCount(chain.length) },
          {
            key: "hash",
            header: "Newest hash",
            cell: ({ chain }) => chain?.hash && <code>{chain.hash.slice(0, 16)}</code>,
          },
        ]}
      />
      {broken.length > 0 && (
        <Table
          caption="Where the log is broken"
          rows={broken}
          rowKey={({ service, kind, position, recordId }) => `${service} ${kind} ${position} ${recordId}`}
          columns={[
            { key: "what", header: "What", rowHeader: true, cell: ({ kind }) => words[kind] },
            { key: "service", header: "Service", cell: ({ service }) => service },
            { key: "place", header: "Place", numeric: true, cell: ({ position }) => position && formatCount(position) },
            { key: "when", header: "Recorded", cell: ({ recordedAt }) => recordedAt && <Moment value={recordedAt} /> },
            { key: "record", header: "Record", cell: ({ recordId }) => recordId && <code>{recordId}</code> },
          ]}
        />
      )}
    </>
  );
}

const words: Record<AuditBreak["kind"], string> = {
  removed: "A record was removed",
  changed: "A record was changed",
  cut: "The chain was cut or rewritten",
  added: "A record was added outside the portal",
};

function State({ chain }: CheckedChain) {
  if (!chain) return <Badge tone="warning">unavailable</Badge>;
  if (chain.breaks.length > 0) return <Badge tone="danger">broken</Badge>;
  return <Badge tone="success">intact</Badge>;
}
