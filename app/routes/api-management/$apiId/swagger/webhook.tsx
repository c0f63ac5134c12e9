import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { readGroups } from "~/features/operation/operation-group";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, getApiName } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { requireApiSummary } from "../api-summary.server";
import { OperationSections } from "./operation-sections";
import { viewOperation } from "./operation-view";
import { loadSidebar } from "./sidebar.server";
import { ViewerFrame } from "./viewer-frame";

export const meta: MetaFunction = ({ matches }) => [{ title: `Webhook of ${getApiName(matches)} · API Assurance` }];

export const handle: ApiPageHandle = { makesPage: true };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const key = { method: search.get("method") ?? "", webhookName: search.get("path") ?? "" };
  const api = await requireApiSummary(viewer, apiId);
  const [result, sidebar] = await Promise.all([
    viewer.backend.apiRegistry.getWebhook({ params: { apiId, ...key } }).then(required),
    loadSidebar(viewer, api, { opened: readGroups(search) }),
  ]);
  return { apiId, view: viewOperation(result), sidebar };
}

export default function Webhook() {
  const { apiId, view, sidebar } = useLoaderData<typeof loader>();
  const { method, path, summary, deprecated, descriptionHtml } = view;
  const getHref = (location: string) =>
    href("/api-management/:apiId/swagger/schema", { apiId }, { kind: "webhook", method, path, place: location });
  return (
    <ViewerFrame sidebar={sidebar}>
      <PageHeading
        title={summary || path}
        description={
          <>
            The API sends <OperationName method={method} path={path} />
          </>
        }
        mark={deprecated && <Badge tone="warning">Deprecated</Badge>}
      />
      {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
      <OperationSections value={view} getHref={getHref} />
    </ViewerFrame>
  );
}
