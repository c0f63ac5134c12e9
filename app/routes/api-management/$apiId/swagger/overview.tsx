import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { groupName, inAddress, readGroups, writeGroups } from "~/features/operation/operation-group";
import { OperationName } from "~/features/operation/operation-name";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, getApiName } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { createMarkdownRenderer } from "~/ui/markdown/markdown";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { requireApiSummary } from "../api-summary.server";
import { ApiMetadata } from "./api-metadata";
import { loadSidebar } from "./sidebar.server";
import { ViewerFrame } from "./viewer-frame";

export const meta: MetaFunction = ({ matches }) => [{ title: `Reference of ${getApiName(matches)} · API Assurance` }];

export const handle: ApiPageHandle = { makesPage: true };

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const { apiRegistry } = viewer.backend;
  const [api, { description, ...metadata }, tags, groups] = await Promise.all([
    requireApiSummary(viewer, apiId),
    apiRegistry.describeApi({ params: { apiId } }).then(required),
    apiRegistry.listOperationTags({ params: { apiId } }).then(required),
    apiRegistry.listOperationGroups({ params: { apiId } }).then(required),
  ]);
  const renderMarkdown = createMarkdownRenderer();
  return {
    api,
    metadata,
    sidebar: await loadSidebar(viewer, api, { opened: readGroups(new URL(request.url).searchParams) }, groups),
    descriptionHtml: renderMarkdown(description, { topHeadingLevel: 2 }),
    moreGroups: groups.total - groups.items.length,
    groups: groups.items.map((group) => {
      const tag = group.kind === "tag" ? tags.items.find(({ name }) => name === group.name) : undefined;
      return { ...group, descriptionHtml: renderMarkdown(tag?.description ?? "", { topHeadingLevel: 4 }) };
    }),
  };
}

export default function Overview() {
  const { api, metadata, sidebar, descriptionHtml, groups, moreGroups } = useLoaderData<typeof loader>();
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
      {groups.length > 0 && (
        <Card
          id="groups"
          title="Operations"
          footer={moreGroups > 0 && `${plural(moreGroups, "more group")}: find their operations by their words.`}
        >
          <DefinitionList
            items={groups.map(({ descriptionHtml: html, operationCount, ...group }) => ({
              term: groupName(group),
              value: (
                <>
                  <a
                    href={href(
                      "/api-management/:apiId/swagger/operations",
                      { apiId: api.id },
                      { ...inAddress(group), open: writeGroups([...sidebar.opened, group]) },
                    )}
                  >
                    {plural(operationCount, "operation")}
                  </a>
                  {html && <Prose sanitizedHtml={html} />}
                </>
              ),
            }))}
          />
        </Card>
      )}
      {metadata.webhooks.length > 0 && (
        <Card title="Webhooks" description="Requests the API sends (webhooks).">
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
