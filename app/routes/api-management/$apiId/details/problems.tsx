import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { requireViewer } from "~/session/guards";
import { getApiName } from "~/shell/api-header/api-handle";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { DocumentProblems } from "../../document-problems";

export const meta: MetaFunction = ({ matches }) => [{ title: `Problems of ${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiRegistry } = viewer.backend;
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const documents = required(await apiRegistry.listDocuments({ params: { apiId }, query: {} })).items;
  const wanted = search.get("documentId");
  const document = documents.find(({ id, current }) => (wanted ? id === wanted : current));
  const documentId = document?.id ?? wanted ?? "";
  const page = required(
    await apiRegistry.listDocumentProblems({ params: { apiId, documentId }, query: { limit: 100, cursor } }),
  );
  return { ...page, version: document?.version, cursor, address: request.url };
}

export default function Problems() {
  const { items, nextCursor, version, cursor, address } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Document issues"
        description={`Found when ${version ? `version ${version}` : "it"} was imported. Parts with issues may be shown or tested incompletely.`}
      />
      {items.length > 0 ? (
        <DocumentProblems problems={items} />
      ) : (
        <EmptyState title="No issues found">The document is valid.</EmptyState>
      )}
      <CursorPages label="Pages of problems" {...{ address, cursor, nextCursor }} />
    </>
  );
}
