import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { newRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { Dialog } from "~/ui/dialog/dialog";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { OccurrenceCard } from "./occurrence-card";
import { readOccurrences } from "./occurrences.server";
import { ScheduleEditor } from "./schedule-editor";
import { toForm } from "./schedule-form";
import { getPreview, handleScheduleForm } from "./schedule-form.server";

interface Location {
  apiId: string;
  testCircleId: string;
  scheduleId: string;
}

const circlePage = ({ apiId, testCircleId }: Location) =>
  href("/test-management/:apiId/test-circles/:testCircleId", { apiId, testCircleId });

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, `Schedule of ${data?.schedule.testCircleName ?? "a circle"}`);

export const handle: ApiPageHandle = {
  crumbs: ({ data, params }) => [
    {
      label: (data as { schedule?: { testCircleName: string } } | undefined)?.schedule?.testCircleName ?? "Circle",
      href: circlePage(params as unknown as Location),
    },
  ],
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as unknown as Location;
  const { testCircleId, scheduleId } = location;
  const { getSchedule, getCircle } = viewer.backend.testRegistry;
  const [schedule, circle, managed] = await Promise.all([
    getSchedule({ params: { scheduleId } }).then(required),
    getCircle({ params: { testCircleId } }).then(required),
    findManaged(viewer, "schedule", scheduleId),
  ]);
  const search = new URL(request.url).searchParams;
  const { id, name, testCircleName, version, cron, everySeconds, timeZone, activeHours, spread } = schedule;
  const recurrence = { cron, everySeconds, timeZone, activeHours, spread };
  const [preview, occurrences] = await Promise.all([
    getPreview(viewer, circle, recurrence, scheduleId),
    readOccurrences(viewer, location, { timeZone, cursor: search.get("cursor") || undefined }),
  ]);
  return {
    schedule: { id, name, testCircleName, version },
    first: toForm(schedule),
    preview,
    managed,
    occurrences,
    address: request.url,
    circleHref: circlePage(location),
    here: href("/test-management/:apiId/test-circles/:testCircleId/schedules/:scheduleId/edit", { ...location }),
    asksToDelete: search.get("dialog") === "delete",
    runKey: newRunKey(),
    mayWrite: viewer.may("tests:write"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const location = params as unknown as Location;
  const { testCircleId, scheduleId } = location;
  const { testRegistry } = viewer.backend;
  if ((await readForm(request.clone())).get("intent") === "delete") {
    required(await testRegistry.deleteSchedule({ params: { scheduleId } }));
    return redirectWithToast(context, circlePage(location), "The schedule was deleted.");
  }
  return await handleScheduleForm(request, {
    ...{ viewer, context, testCircleId, scheduleId },
    save: (body, form) =>
      testRegistry.changeSchedule({
        params: { scheduleId },
        body,
        headers: { "if-match": `"${Number(form.get("version"))}"` },
      }),
    savedAddress: circlePage(location),
  });
}

export default function EditSchedule() {
  const { schedule, first, preview, occurrences, address, circleHref, here, asksToDelete, runKey, mayWrite, managed } =
    useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title={schedule.name ?? `Schedule of ${schedule.testCircleName}`}
        actions={
          mayWrite && (
            <LinkButton href={`${here}?dialog=delete`} variant="quiet" icon="trash">
              Delete
            </LinkButton>
          )
        }
      />
      <ManagedNote managed={managed} />
      <ScheduleEditor
        {...{ first, preview, runKey, mayWrite }}
        version={schedule.version}
        action={here}
        result={useActionData<typeof action>()}
        saveLabel="Save"
        cancelHref={circleHref}
      />
      <OccurrenceCard occurrences={occurrences} address={address} />
      {asksToDelete && mayWrite && (
        <Dialog
          title="Delete this schedule?"
          message="No more runs will start. Existing runs are kept. This can't be undone."
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete schedule", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
