import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { handleImport } from "~/features/imports/handle-import.server";
import { ImportView } from "~/features/imports/import-view";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { titleWithin } from "~/shell/api-header/api-handle";
import { LinkButton } from "~/ui/button/button";
import { PageHeading } from "~/ui/page-heading/page-heading";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Import tests");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return { apiId: params.apiId!, quota: await findQuota(viewer, "tests") };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  return await handleImport(await requireViewer(request, context), request, params.apiId!);
}

export default function ImportTests() {
  const { apiId, quota } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Import tests"
        description="From collections of other tools. Requests are matched to the operations of this API; what can't be carried over is listed before anything is stored."
        actions={<LinkButton href={href("/test-management/:apiId/tests", { apiId })}>All tests</LinkButton>}
      />
      <PlanQuota quota={quota} />
      <ImportView apiId={apiId} reply={useActionData<typeof action>()} />
    </>
  );
}
