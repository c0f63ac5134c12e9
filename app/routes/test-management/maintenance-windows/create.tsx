import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { Page } from "~/shell/page/page";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { WindowEditor } from "./window-editor";
import { toForm } from "./window-form";
import { handleWindowForm, readChoices } from "./window-form.server";

export const meta: MetaFunction = () => [{ title: "Create a maintenance window · API Assurance" }];

/** For the circle or API in the address. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const [apiId, testCircleId] = ["apiId", "testCircleId"].map((name) => search.get(name) || undefined);
  const first = toForm({ apiId, testCircleId }, { timeZone: getTimeZone(request, viewer.session), now: Date.now() });
  return { first, choices: await readChoices(viewer, first), runKey: newRunKey() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleWindowForm(request, {
    ...{ viewer, context },
    save: (body, form) =>
      viewer.backend.testRegistry.createMaintenanceWindow({
        body,
        headers: { "idempotency-key": `${readRunKey(form)}:window` },
      }),
  });
}

export default function CreateMaintenanceWindow() {
  const { first, choices, runKey } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading title="Create a maintenance window" description="Schedules are paused during this window." />
      <WindowEditor
        {...{ first, choices, runKey }}
        mayWrite
        result={useActionData<typeof action>()}
        saveLabel="Create window"
      />
    </Page>
  );
}
