import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/answers";
import { href } from "~/href";
import { createMarkdownRenderer } from "~/markdown/markdown";
import { OperationName } from "~/operation/operation-name";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, apiNameOf } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { requireApiSummary } from "../api-summary.server";
import { ApiMetadata } from "./api-metadata";
import { loadSidebar } from "./sidebar.server";
import { ViewerFrame } from "./viewer-frame";

export const meta: MetaFunction = ({ matches }) => [{ title: `Reference of ${apiNameOf(matches)} · API Assurance` }];

export const handle: ApiPageHandle = { makesPage: true };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const { apiRegistry } = viewer.backend;
  const [api, { description, ...metadata }, tags] = await Promise.all([
    requireApiSummary(viewer, apiId),
    apiRegistry.describeApi({ params: { apiId } }).then(required),
    apiRegistry.listOperationTags({ params: { apiId } }).then(required),
  ]);
  const renderMarkdown = createMarkdownRenderer();
  return {
    api,
    metadata,
    sidebar: await loadSidebar(viewer, api, {}),
    descriptionHtml: renderMarkdown(description, { topHeadingLevel: 2 }),
    tags: tags.items.map(({ description = "", ...tag }) => ({
      ...tag,
      descriptionHtml: renderMarkdown(description, { topHeadingLevel: 4 }),
    })),
  };
}

export default function Overview() {
  const { api, metadata, sidebar, descriptionHtml, tags } = useLoaderData<typeof loader>();
  return (
    <ViewerFrame sidebar={sidebar}>
      <PageHeading
        title={api.name}
        mark={
          <>
            {api.version && <Badge icon={null}>{api.version}</Badge>}
            <Badge icon={null}>OpenAPI {api.specificationVersion}</Badge>
          </>
        }
      />
      {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
      <ApiMetadata metadata={metadata} />
      {tags.length > 0 && (
        <Card title="Operations by tag">
          <DefinitionList
            items={tags.map(({ name, operationCount, descriptionHtml: html }) => ({
              term: name || "Without tag",
              value: (
                <>
                  <a href={href("/api-management/:apiId/swagger/operations", { apiId: api.id }, { tag: name })}>
                    {operationCount.toLocaleString("en")} {operationCount === 1 ? "operation" : "operations"}
                  </a>
                  {html && <Prose sanitizedHtml={html} />}
                </>
              ),
            }))}
          />
        </Card>
      )}
      {metadata.webhooks.length > 0 && (
        <Card title="Webhooks" description="Requests that the API sends.">
          <ul>
            {metadata.webhooks.map(({ name, method, summary }) => (
              <li key={`${method} ${name}`}>
                <a href={href("/api-management/:apiId/swagger/webhook", { apiId: api.id }, { method, path: name })}>
                  <OperationName method={method} path={name} />
                </a>{" "}
                {summary}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </ViewerFrame>
  );
}
