import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { lengthWords } from "~/features/schedules/schedule-words";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { Page } from "~/shell/page/page";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { FilterBar } from "~/ui/filter-bar/filter-bar";
import { Row } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { listAddress } from "~/ui/list-page/list-address";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Table } from "~/ui/table/table";
import { spanWords } from "./window-words";

export const meta: MetaFunction = () => [{ title: "Maintenance windows · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim() || undefined;
  const cursor = search.get("cursor") || undefined;
  const [page, apis] = await Promise.all([
    viewer.backend.testRegistry.listMaintenanceWindows({ query: { query, cursor } }).then(required),
    viewer.backend.apiRegistry.listApis({ query: { limit: 200 } }).then(available),
  ]);
  const apiNames = new Map(apis?.items.map(({ id, name }) => [id, name]));
  return {
    ...{ query, cursor },
    windows: page.items.map((window) => ({
      ...window,
      of: window.testCircleName ?? (window.apiId ? (apiNames.get(window.apiId) ?? "An API") : "All schedules"),
    })),
    nextCursor: page.nextCursor,
    address: request.url,
    timeZone: getTimeZone(request, viewer.session),
    mayWrite: viewer.may("tests:write"),
  };
}

export default function MaintenanceWindows() {
  const { query, cursor, windows, nextCursor, address, timeZone, mayWrite } = useLoaderData<typeof loader>();
  const nothingYet = windows.length === 0 && !query && !cursor;
  const reset = listAddress(address, { query: undefined });
  const create = mayWrite && (
    <LinkButton href={href("/test-management/maintenance-windows/create")} variant="primary" icon="plus">
      Create a window
    </LinkButton>
  );
  return (
    <Page>
      <PageHeading
        title="Maintenance windows"
        description="Schedules are paused during a maintenance window; skipped runs are recorded with its name."
        actions={!nothingYet && create}
      />
      {nothingYet ? (
        <EmptyState illustration="schedules" title="No maintenance windows yet" action={create}>
          Plan one for a deployment, once or weekly, so that expected failures don't send alerts.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter maintenance windows"
            search={{ label: "Search by name", defaultValue: query }}
            resetHref={query ? reset : undefined}
          />
          {windows.length > 0 ? (
            <Table
              caption="Maintenance windows"
              captionHidden
              rows={windows}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: "name",
                  header: "Window",
                  rowHeader: true,
                  cell: ({ id, name }) => (
                    <a
                      href={href("/test-management/maintenance-windows/:maintenanceWindowId/edit", {
                        maintenanceWindowId: id,
                      })}
                    >
                      {name}
                    </a>
                  ),
                },
                { key: "of", header: "Affects", beside: true, selfEvident: true, cell: ({ of }) => of },
                {
                  key: "repeats",
                  header: "Repeats",
                  wideOnly: true,
                  cell: ({ times }) =>
                    times.kind === "once" ? (
                      "Once"
                    ) : (
                      <>
                        <code>{times.cron}</code> {times.timeZone}, for {lengthWords(times.durationMinutes * 60)}
                      </>
                    ),
                },
                {
                  key: "next",
                  header: "Next",
                  cell: ({ times, next }) => {
                    const zone = times.kind === "once" ? timeZone : times.timeZone;
                    if (!next) return "Over";
                    return (
                      <Row>
                        {next.isOn && (
                          <Badge tone="warning" icon="pause">
                            On now
                          </Badge>
                        )}
                        <span>{spanWords(next, zone)}</span>
                      </Row>
                    );
                  },
                },
              ]}
            />
          ) : (
            <EmptyState title="No matching windows" action={<LinkButton href={reset}>Show all windows</LinkButton>}>
              Try fewer or other words.
            </EmptyState>
          )}
          <CursorPages label="Pages of maintenance windows" {...{ address, cursor, nextCursor }} />
        </>
      )}
    </Page>
  );
}
