import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { circleAddress } from "~/features/circles/circle-addresses";
import { copyName, shortenedWords } from "~/features/copies/copy-name";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import { runFromField } from "~/features/locations/run-from";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { titleWithin } from "~/shell/api-header/api-handle";
import { Dialog } from "~/ui/dialog/dialog";
import { listAddress } from "~/ui/list-page/list-address";
import { ListPage } from "~/ui/list-page/list-page";
import { SortNote } from "~/ui/list-page/sort-note";
import { readTicked } from "~/ui/selection/selected-field";
import { CircleFrame } from "./circle-frame";
import { findCircleStatuses } from "./circle-statuses.server";
import { CircleTable } from "./circle-table";
import { findDeletedWith } from "./deleted-with.server";
import { listSortedCircles, readCircleFilters } from "./list.server";
import { runCircle } from "./run-circle.server";
import { DeletionDialog, SelectedCircles } from "./selected-circles";
import { handleSelectedCircles, isOfSelected } from "./selected-circles.server";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Circles");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId } = params;
  const search = new URL(request.url).searchParams;
  const { query, cursor, sort } = readCircleFilters(request, apiId);
  const [page, apis, locations] = await Promise.all([
    listSortedCircles(viewer, { apiId, query, cursor, sort }),
    apiId ? undefined : viewer.backend.apiRegistry.listApis({ query: { limit: 200 } }).then(available),
    viewer.may("tests:run") ? findLocationChoices(viewer) : undefined,
  ]);
  const names = new Map(apis?.items.map(({ id, name }) => [id, name]));
  const toDelete = search.get("dialog") === "delete" ? search.get("testCircleId") : null;
  const deletedId = page.items.find(({ id }) => id === toDelete)?.id;
  const [statuses, deletedWith] = await Promise.all([
    findCircleStatuses(viewer, page.items, { apiId, timeZone: getTimeZone(request, viewer.session) }),
    deletedId ? findDeletedWith(viewer, deletedId) : [],
  ]);
  return {
    ...{ apiId, asked: { query, cursor }, sort },
    circles: page.items.map((circle) => ({
      ...circle,
      ...statuses.of(circle),
      address: circleAddress(circle, apiId),
      apiNames: circle.apiIds.flatMap((id) => names.get(id) ?? []),
    })),
    nextCursor: page.nextCursor,
    address: request.url,
    ...{ deletedId, deletedWith },
    mayRun: viewer.may("tests:run"),
    locations,
    mayWrite: viewer.may("tests:write"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

/** Runs, copies or deletes a circle. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testRegistry } = viewer.backend;
  const form = await readForm(request);
  if (isOfSelected(form)) {
    return await handleSelectedCircles({ viewer, context, form, list: listAddress(request.url, {}) });
  }
  // The button of a place has no other value.
  const intent = form.get("intent") ?? (form.has(runFromField) ? "run" : null);
  requireScope(viewer, intent === "run" ? "tests:run" : "tests:write");
  const testCircleId = String(form.get("testCircleId"));
  const list = listAddress(request.url, { testCircleId: undefined });
  const circle = required(await testRegistry.getCircle({ params: { testCircleId } }));
  switch (intent) {
    case "run":
      return await runCircle({ viewer, context, circle, preferred: params.apiId, form, otherwise: list });
    case "copy": {
      const { id, apiIds, version, createdAt, updatedAt, ...input } = circle;
      const body = { ...input, name: copyName(circle.name), copyOf: id };
      const headers = { "idempotency-key": `${readRunKey(form)}:copy:${id}:${version}` };
      const copy = required(await testRegistry.createCircle({ body, headers }));
      const message = `${copy.name} was created with its variables, but without schedules, alert rule, service level and status page.${shortenedWords(circle.name)}`;
      return redirectWithToast(context, circleAddress(copy, params.apiId), message);
    }
    case "delete":
      required(await testRegistry.deleteCircle({ params: { testCircleId } }));
      return redirectWithToast(context, list, `${circle.name} was deleted.`);
  }
  throw new Response("No such action.", { status: 400 });
}

export default function Circles() {
  const { apiId, asked, sort, circles, nextCursor, address, deletedId, deletedWith, ...viewing } =
    useLoaderData<typeof loader>();
  const { mayRun, mayWrite, runKey, locations } = viewing;
  const result = useActionData<typeof action>();
  const requested = result && "requested" in result ? result.requested : undefined;
  const ticked = requested?.ids ?? readTicked(address);
  const isSorted = sort !== "name";
  const hasRunOnly = isSorted && sort !== "-name";
  const createHref = apiId
    ? href("/test-management/:apiId/test-circles/create", { apiId })
    : href("/test-management/test-circles/create");
  const deleted = circles.find(({ id }) => id === deletedId);
  return (
    <CircleFrame apiId={apiId}>
      <ListPage
        title="Circles"
        description={apiId ? undefined : "Groups of tests across all APIs, run together with one verdict."}
        one="circle"
        many="circles"
        {...{ requested: asked, address, nextCursor }}
        create={mayWrite && { href: createHref, label: "Create a circle" }}
        searchLabel="Search by name or description"
        hidden={{ sort: isSorted ? sort : undefined }}
        isEmpty={circles.length === 0}
        noMatch={hasRunOnly && nextCursor ? "The next page may have some." : undefined}
        nothingYet={
          hasRunOnly
            ? undefined
            : {
                title: "No circles yet",
                illustration: "circles",
                children:
                  "A circle is a group of tests that run together, for example a login and the tests that use its token.",
              }
        }
      >
        {(mayRun || mayWrite) && (
          <SelectedCircles count={circles.length} {...{ mayRun, mayWrite, runKey, locations }} />
        )}
        <CircleTable
          {...{ circles, address, sort, ticked, mayRun, mayWrite, runKey, locations }}
          showsApis={!apiId}
          now={viewing.now}
        />
        {hasRunOnly && (
          <SortNote reset={listAddress(address, { sort: undefined })} label="Sort by name">
            Circles that have not run are not in this order.
          </SortNote>
        )}
      </ListPage>
      {requested && (
        <DeletionDialog
          requested={requested}
          cancelHref={listAddress(address, { cursor: asked.cursor, ticked: ticked.join(",") })}
        />
      )}
      {deleted && mayWrite && (
        <Dialog
          title={`Delete ${deleted.name}?`}
          message={deletionWords(deletedWith)}
          cancelHref={listAddress(address, { testCircleId: undefined })}
          fields={{ testCircleId: deleted.id }}
          actions={[{ name: "Delete circle", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </CircleFrame>
  );
}

function deletionWords(deletedWith: readonly string[]): string {
  const all = [...deletedWith, "its alert rule, trends, service level and status page"].join(", ");
  return `Also deleted: ${all}. Its tests and runs are kept; a run in progress is not stopped. This can't be undone.`;
}
