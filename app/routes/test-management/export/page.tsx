import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { exportFormats } from "#contracts/test-registry/test-exports.ts";
import { formatNames } from "~/features/export/formats";
import { runKeyField } from "~/features/runs/run-key";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Stack } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { Table } from "~/ui/table/table";
import { makeExport, readExport, toSearchParams } from "./requested-export.server";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, `Export ${data?.name ?? "tests"}`);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const requested = readExport(request, params.apiId!);
  const { pathname, searchParams } = new URL(request.url);
  // The form of the list sends it along with the selected tests.
  if (searchParams.has(runKeyField)) {
    const { apiId, selection } = requested;
    if (selection.selected.length > 0)
      throw redirect(`${pathname}?${new URLSearchParams(toSearchParams(selection))}`, 303);
    const list = href("/test-management/:apiId/tests", { apiId });
    throw redirectWithToast(context, list, { message: "Select tests first.", variant: "warning" });
  }
  const { name, files, losses } = await makeExport(viewer, requested);
  const selection = toSearchParams(requested.selection);
  const download = new URLSearchParams([...selection, ["format", requested.format]]);
  return {
    apiId: requested.apiId,
    format: requested.format,
    name,
    selection,
    files: files.map(({ path }) => path),
    losses: losses.map((loss, index) => ({ ...loss, key: String(index) })),
    download: `${href("/test-management/:apiId/export/download", { apiId: requested.apiId })}?${download}`,
  };
}

export default function Export() {
  const { format, name, selection, files, losses, download } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title={`Export ${name}`}
        description="Files for another tool. Secrets are never exported: they become variables that you set in the tool."
      />
      <Stack>
        <FilterBar label="Choose a format" submitLabel="Show">
          {selection.map(([field, value]) => (
            <input key={value} type="hidden" name={field} value={value} />
          ))}
          <Select
            label="Format"
            name="format"
            defaultValue={format}
            options={exportFormats.map((value) => ({ value, label: formatNames[value] }))}
          />
        </FilterBar>
        {files.length === 0 ? (
          <EmptyState title="Nothing to export">There are no tests, or none that this format supports.</EmptyState>
        ) : (
          <>
            <p>
              <LinkButton href={download} variant="primary" icon="download" download>
                {files.length === 1 ? `Download ${files[0]}` : `Download ${plural(files.length, "file")} as ZIP`}
              </LinkButton>
            </p>
            {losses.length === 0 ? (
              <Notice tone="success" title="Everything is carried over" />
            ) : (
              <Table
                caption={`What is not carried over (${losses.length})`}
                rows={losses}
                rowKey={({ key }) => key}
                columns={[
                  { key: "of", header: "Of", rowHeader: true, cell: ({ of }) => of },
                  { key: "what", header: "What", cell: ({ what }) => what },
                  { key: "reason", header: "Why", cell: ({ reason }) => reason },
                ]}
              />
            )}
          </>
        )}
      </Stack>
    </>
  );
}
