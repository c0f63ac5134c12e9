import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { notFound } from "#contracts/kit/problem.ts";
import { problemResponse, required } from "~/backend/responses";
import { readGroups, toGroupKey, writeGroups } from "~/features/operation/operation-group";
import { describeSchema } from "~/features/schema-view/describe-schema";
import { findSchemaAt } from "~/features/schema-view/find-schema-at";
import { SchemaTree } from "~/features/schema-view/schema-tree";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { type ApiPageHandle, getApiName } from "~/shell/api-header/api-handle";
import { Card } from "~/ui/card/card";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { requireApiSummary } from "../api-summary.server";
import { loadSidebar } from "./sidebar.server";
import { ViewerFrame } from "./viewer-frame";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, matches }) => [
  { title: `${loaded?.name ?? "Schema"}, ${getApiName(matches)} · API Assurance` },
];

type Loaded = Awaited<ReturnType<typeof loader>>;

export const handle: ApiPageHandle = {
  crumbs({ data: loaded }) {
    const { operation, back } = (loaded as Loaded | undefined) ?? {};
    return operation ? [{ label: `${operation.method.toUpperCase()} ${operation.path}`, href: back }] : [];
  },
  makesPage: true,
};

/** A schema that was folded in its context, unfolded on a page. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const [method, path, location] = [search.get("method") ?? "", search.get("path") ?? "", search.get("place") ?? ""];
  const kind = search.get("kind") === "webhook" ? "webhook" : undefined;
  const { apiRegistry } = viewer.backend;
  const api = await requireApiSummary(viewer, apiId);
  const result = required(
    kind
      ? await apiRegistry.getWebhook({ params: { apiId, method, webhookName: path } })
      : await apiRegistry.getOperation({ params: { apiId, method, pathName: path } }),
  );
  const found = findSchemaAt(result, location);
  if (!found) throw problemResponse(notFound("schema").toDetails());
  const opened = readGroups(search);
  const open = writeGroups(opened);
  return {
    apiId,
    kind,
    operation: { method, path },
    back: kind
      ? href("/api-management/:apiId/swagger/webhook", { apiId }, { method, path, open })
      : href("/api-management/:apiId/swagger/operation", { apiId }, { method, path, open }),
    name: found.name || "Schema",
    node: describeSchema(found.schema, { components: result.components, location, maximumNodes: 250 }),
    sidebar: await loadSidebar(viewer, api, { group: toGroupKey(result.operation), opened }),
  };
}

export default function Schema() {
  const { apiId, kind, operation, name, node, sidebar } = useLoaderData<typeof loader>();
  const getHref = (location: string) =>
    href(
      "/api-management/:apiId/swagger/schema",
      { apiId },
      { kind, ...operation, place: location, open: writeGroups(sidebar.opened) },
    );
  return (
    <ViewerFrame sidebar={sidebar} current={operation}>
      <PageHeading title={name} description="A schema of the document." />
      <Card>
        <SchemaTree node={node} getHref={getHref} />
      </Card>
    </ViewerFrame>
  );
}
