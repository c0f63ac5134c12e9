import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/answers";
import { readForm } from "~/forms/read-form.server";
import { RunKey } from "~/runs/run-key";
import { newRunKey } from "~/runs/start-run.server";
import { requireScope, requireViewer } from "~/session/guards";
import { Button } from "~/ui/button/button";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CircleEditor } from "./circle-editor";
import { formOf } from "./circle-form";
import { answerCircleForm, describeDraft, draftOfCircle, firstDraft } from "./circle-form.server";
import { circleAddress, circleListAddress } from "./circle-places";
import { CircleSchedules } from "./circle-schedules";
import { CircleTabs } from "./circle-tabs";
import { runCircle } from "./run-circle.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.circle.name ?? "Circle"} · API Assurance` },
];

export const handle = {
  crumbs: ({ data, params }: { data: unknown; params: Record<string, string | undefined> }) => [
    { label: "Circles", href: circleListAddress(params.apiId) },
    { label: (data as { circle?: { name: string } } | undefined)?.circle?.name ?? "Circle" },
  ],
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as { apiId: string; testCircleId: string };
  const { getCircle, listSchedulesOfCircle } = viewer.backend.testRegistry;
  const [circle, schedules] = await Promise.all([
    getCircle({ params: { testCircleId } }).then(required),
    listSchedulesOfCircle({ params: { testCircleId }, query: { limit: 200 } }),
  ]);
  const draft = firstDraft(context, draftOfCircle(circle, apiId));
  const { id, name, version } = circle;
  return {
    circle: { id, name, version },
    first: formOf(circle),
    described: await describeDraft(viewer, draft),
    schedules: available(schedules)?.items,
    apiId,
    runKey: newRunKey(),
    mayRun: viewer.may("tests:run"),
    mayWrite: viewer.may("tests:write"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as { apiId: string; testCircleId: string };
  const form = await readForm(request.clone());
  if (form.get("intent") === "run") {
    requireScope(viewer, "tests:run");
    const circle = { id: testCircleId, apiIds: [apiId] };
    return await runCircle({
      viewer,
      context,
      circle,
      preferred: apiId,
      form,
      otherwise: new URL(request.url).pathname,
    });
  }
  return await answerCircleForm(request, {
    viewer,
    context,
    save: (body, form) =>
      viewer.backend.testRegistry.changeCircle({
        params: { testCircleId },
        body,
        headers: { "if-match": `"${Number(form.get("version"))}"` },
      }),
    saved: (circle) => ({ address: circleAddress(circle, apiId), message: `${circle.name} is saved.` }),
  });
}

export default function EditCircle() {
  const { circle, first, described, apiId, runKey, schedules, mayRun, mayWrite } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title={circle.name}
        actions={
          mayRun && (
            <form method="post">
              <RunKey value={runKey} />
              <Button icon="play" name="intent" value="run">
                Run
              </Button>
            </form>
          )
        }
      />
      <CircleTabs apiId={apiId} testCircleId={circle.id} current="circle" />
      <CircleSchedules {...{ apiId, schedules, mayWrite }} testCircleId={circle.id} />
      <CircleEditor
        {...{ first, described, runKey, mayWrite }}
        version={circle.version}
        answer={useActionData<typeof action>()}
        saveLabel="Save"
        cancelHref={circleListAddress(apiId)}
      />
    </>
  );
}
