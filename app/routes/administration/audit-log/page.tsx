import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Pagination } from "~/ui/pagination/pagination";
import { Select } from "~/ui/select/select";
import { auditedKinds } from "./kinds.server";
import { findNames } from "./known-names.server";
import { nameRecord } from "./named-record";
import { RecordTable } from "./record-table";
import { kindWords } from "./record-words";
import { findRecords, type Period, readFilters } from "./records.server";

export const meta: MetaFunction = () => [{ title: "Audit log · API Assurance" }];

const displayedRecords = 25;
const recordId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const periodWords: Record<Period, string> = {
  day: "Last 24 hours",
  week: "Last 7 days",
  month: "Last 30 days",
  quarter: "Last 90 days",
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { backend, may } = viewer;
  const search = new URL(request.url).searchParams;
  const filters = readFilters(search, may("system:manage"));
  const beforeId = recordId.exec(search.get("before") ?? "")?.[0];
  const page = await findRecords(backend, filters, { beforeId, limit: displayedRecords, until: new Date() });
  const names = await findNames(viewer, page.records);
  const records = page.records.map((record) => nameRecord(record, names));
  return {
    ...page,
    records,
    filters,
    beforeId,
    kinds: auditedKinds,
    isOperator: may("system:manage"),
    address: request.url,
  };
}

export default function AuditLog() {
  const { records, lastId, filters, beforeId, kinds, isOperator, address } = useLoaderData<typeof loader>();
  const { query, kind, period, everywhere } = filters;
  const everything = listAddress(address, {
    query: undefined,
    kind: undefined,
    period: undefined,
    of: undefined,
    before: undefined,
  });
  const isFiltered = Boolean(query || kind || period || everywhere);
  return (
    <>
      <PageHeading
        title="Audit log"
        description="Who changed what in your organization, and when. Records can't be changed and are kept for two years."
        actions={
          <>
            <LinkButton href={href("/administration/audit-log/chain")} icon="check">
              Check integrity
            </LinkButton>
            <LinkButton
              href={
                href("/administration/audit-log.csv") +
                new URL(listAddress(address, { before: undefined }), address).search
              }
              icon="download"
            >
              Download as CSV
            </LinkButton>
          </>
        }
      />
      <FilterBar
        label="Filter the audit log"
        search={{ label: "Search by who, action or resource", defaultValue: query }}
        resetHref={isFiltered ? everything : undefined}
      >
        <Select
          label="Resource"
          labelHidden
          name="kind"
          placeholder="Any resource"
          defaultValue={kind}
          options={kinds.map((value) => ({ value, label: kindWords(value) }))}
        />
        <Select
          label="Time"
          labelHidden
          name="period"
          placeholder="Any time"
          defaultValue={period}
          options={Object.entries(periodWords).map(([value, label]) => ({ value, label }))}
        />
        {isOperator && (
          <Select
            label="Organizations"
            labelHidden
            name="of"
            placeholder="This organization"
            defaultValue={everywhere && "all"}
            options={[{ value: "all", label: "All organizations" }]}
          />
        )}
      </FilterBar>
      {records.length > 0 ? (
        <RecordTable records={records} everywhere={everywhere !== undefined} />
      ) : (
        <EmptyState
          title="No matching records"
          action={isFiltered && <LinkButton href={everything}>Show all records</LinkButton>}
        >
          Matches the start of words in names of people and resources, in actions such as changeUser, and in ids of
          resources.
        </EmptyState>
      )}
      <Pagination
        label="Pages of the audit log"
        firstHref={beforeId ? listAddress(address, { before: undefined }) : undefined}
        nextHref={lastId ? listAddress(address, { before: lastId }) : undefined}
      />
    </>
  );
}
