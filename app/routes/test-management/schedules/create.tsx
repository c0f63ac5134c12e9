import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ScheduleEditor } from "./schedule-editor";
import { scheduleForm, toForm, toRecurrence } from "./schedule-form";
import { getPreview, handleScheduleForm } from "./schedule-form.server";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Create a schedule");

interface Location {
  apiId: string;
  testCircleId: string;
}

const circlePage = (location: Location) => href("/test-management/:apiId/test-circles/:testCircleId", { ...location });

export const handle: ApiPageHandle = {
  crumbs: ({ data, params }) => [
    {
      label: (data as { circleName?: string } | undefined)?.circleName ?? "Circle",
      href: circlePage(params as unknown as Location),
    },
  ],
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as unknown as Location;
  const circle = required(await viewer.backend.testRegistry.getCircle({ params: { testCircleId } }));
  const first = toForm({ timeZone: getTimeZone(request, viewer.session) });
  const recurrence = toRecurrence(
    scheduleForm.parse({ ...first, every: Number(first.every), enabled: true, onlyWithin: false, spread: false }),
  );
  return {
    circleName: circle.name,
    circleHref: circlePage({ apiId, testCircleId }),
    first,
    preview: await getPreview(viewer, circle, recurrence),
    runKey: newRunKey(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as unknown as Location;
  return await handleScheduleForm(request, {
    ...{ viewer, context, testCircleId },
    save: (body, form) =>
      viewer.backend.testRegistry.createSchedule({
        params: { testCircleId },
        body,
        headers: { "idempotency-key": `${readRunKey(form)}:schedule` },
      }),
    savedAddress: circlePage({ apiId, testCircleId }),
  });
}

export default function CreateSchedule() {
  const { circleName, circleHref, first, preview, runKey } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading title="Create a schedule" description={`For ${circleName}.`} />
      <ScheduleEditor
        {...{ first, preview, runKey }}
        mayWrite
        result={useActionData<typeof action>()}
        saveLabel="Create schedule"
        cancelHref={circleHref}
      />
    </>
  );
}
