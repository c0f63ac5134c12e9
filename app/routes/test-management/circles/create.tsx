import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { circleAddress, circleListAddress } from "~/features/circles/circle-addresses";
import { notChosen } from "~/features/locations/location-field";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { requireViewer } from "~/session/guards";
import { titleWithin } from "~/shell/api-header/api-handle";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CircleEditor } from "./circle-editor";
import { describeDraft, firstDraft, handleCircleForm } from "./circle-form.server";
import { CircleFrame } from "./circle-frame";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Create a circle");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId ?? "";
  const none = { members: [], environments: {}, order: "sequential" as const, onlyOwn: false, variables: [] };
  const draft = firstDraft(context, { ...none, finder: { apiId, query: "", tag: "", method: "" } });
  return {
    apiId: params.apiId,
    described: await describeDraft(viewer, draft),
    runKey: newRunKey(),
    mayRefer: viewer.may("credentials:manage"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleCircleForm(request, {
    viewer,
    context,
    save: (body, form) =>
      viewer.backend.testRegistry.createCircle({ body, headers: { "idempotency-key": `${readRunKey(form)}:circle` } }),
    saved: (circle) => ({ address: circleAddress(circle, params.apiId), message: `${circle.name} is saved.` }),
  });
}

const first = {
  ...{ name: "", description: "", order: "sequential" as const, concurrency: "10", stopOnFailure: undefined },
  cookies: "on",
  onlyOwn: undefined,
  locationId: notChosen,
  ...{ places: [], placeRule: "any", placeMinimum: "" },
  variables: [],
  secrets: [],
};

export default function CreateCircle() {
  const { apiId, described, runKey, mayRefer } = useLoaderData<typeof loader>();
  return (
    <CircleFrame apiId={apiId}>
      <PageHeading
        title="Create a circle"
        description="Groups of tests, of one API or several: run together, on a schedule, with one verdict."
      />
      <CircleEditor
        {...{ first, described, runKey, mayRefer }}
        mayWrite
        result={useActionData<typeof action>()}
        saveLabel="Create circle"
        cancelHref={circleListAddress(apiId)}
      />
    </CircleFrame>
  );
}
