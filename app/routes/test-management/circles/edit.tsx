import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { type CircleParams, circleListAddress } from "~/features/circles/circle-addresses";
import { CircleTabs } from "~/features/circles/circle-tabs";
import { newRunKey } from "~/features/runs/start-run.server";
import { requireViewer } from "~/session/guards";
import { titleWithin } from "~/shell/api-header/api-handle";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { circleCrumbs } from "./circle-crumbs";
import { CircleEditor } from "./circle-editor";
import { toForm } from "./circle-form";
import { describeDraft, draftOfCircle, firstDraft, handleCircleForm } from "./circle-form.server";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, data?.circle.name ?? "Circle");

export const handle = { crumbs: circleCrumbs };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testCircleId } = params as CircleParams;
  const circle = required(await viewer.backend.testRegistry.getCircle({ params: { testCircleId } }));
  const draft = firstDraft(context, draftOfCircle(circle, apiId));
  const { id, name, version } = circle;
  return {
    circle: { id, name, version },
    first: toForm(circle),
    described: await describeDraft(viewer, draft, testCircleId),
    apiId,
    runKey: newRunKey(),
    mayWrite: viewer.may("tests:write"),
    mayRefer: viewer.may("credentials:manage"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { testCircleId } = params as CircleParams;
  return await handleCircleForm(request, {
    viewer,
    context,
    testCircleId,
    save: (body, form) =>
      viewer.backend.testRegistry.changeCircle({
        params: { testCircleId },
        body,
        headers: { "if-match": `"${Number(form.get("version"))}"` },
      }),
    saved: (circle) => ({ address: new URL(request.url).pathname, message: `${circle.name} is saved.` }),
  });
}

export default function EditCircle() {
  const { circle, first, described, apiId, runKey, mayWrite, mayRefer } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading title={circle.name} />
      <CircleTabs apiId={apiId} testCircleId={circle.id} current="edit" />
      <CircleEditor
        {...{ first, described, runKey, mayWrite, mayRefer }}
        version={circle.version}
        result={useActionData<typeof action>()}
        saveLabel="Save"
        cancelHref={circleListAddress(apiId)}
      />
    </>
  );
}
