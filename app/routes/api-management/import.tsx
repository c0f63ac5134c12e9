import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { handleImport } from "~/features/imports/handle-import.server";
import { ImportView } from "~/features/imports/import-view";
import { PlanQuota } from "~/features/plans/plan-quota";
import { findQuota } from "~/features/plans/plan-quota.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { PageHeading } from "~/ui/page-heading/page-heading";

export const meta: MetaFunction = () => [{ title: "Import a collection · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return { quota: await findQuota(viewer, "apis") };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "tests:write");
  return await handleImport(viewer, request, undefined);
}

export default function ImportCollection() {
  const { quota } = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHeading
        title="Import a collection"
        breadcrumbs={[
          { label: "APIs", href: href("/api-management/list") },
          { label: "Register", href: href("/api-management/register") },
          { label: "Import" },
        ]}
        description="For an API without an OpenAPI document: one is made from the requests of a collection, and tests with it."
      />
      <PlanQuota quota={quota} />
      <ImportView apiId={undefined} reply={useActionData<typeof action>()} />
    </Page>
  );
}
