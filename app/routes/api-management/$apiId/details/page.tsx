import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { findNeed } from "~/features/authentication/find-need.server";
import { NeedNotice } from "~/features/authentication/need-notice";
import { findManaged } from "~/features/code/find-managed.server";
import { ManagedNote } from "~/features/code/managed-note";
import { findSentFrom } from "~/features/locations/sent-from.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { getApiName } from "~/shell/api-header/api-handle";
import { Badge } from "~/ui/badge/badge";
import { LinkButton } from "~/ui/button/button";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { Row } from "~/ui/layout/layout";
import { renderMarkdown } from "~/ui/markdown/markdown";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Prose } from "~/ui/prose/prose";
import { Stats } from "~/ui/stat/stat";
import { requireApiSummary } from "../api-summary.server";
import { DetailsSections } from "./sections";

export const meta: MetaFunction = ({ matches }) => [{ title: `Settings of ${getApiName(matches)} · API Assurance` }];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const { apiRegistry, testRegistry } = viewer.backend;
  const path = { params: { apiId } };
  const [api, { description, ...metadata }, tags, environments, documents, counts, need, managed] = await Promise.all([
    requireApiSummary(viewer, apiId),
    apiRegistry.describeApi(path).then(required),
    apiRegistry.listOperationTags(path).then(required),
    apiRegistry.listEnvironments(path).then(required),
    apiRegistry.listDocuments({ ...path, query: {} }).then(required),
    testRegistry.countTests({ query: { apiId } }).then(available),
    findNeed(viewer, apiId),
    findManaged(viewer, "api", apiId),
  ]);
  const sentFrom = await findSentFrom(
    viewer,
    environments.items.map(({ locationId }) => locationId),
  );
  return {
    api,
    details: {
      metadata,
      operationTags: tags.items,
      environments: environments.items,
      documents: documents.items,
      sentFrom,
    },
    descriptionHtml: renderMarkdown(description),
    testCount: counts?.byOperation.reduce((sum, { total }) => sum + total, 0),
    testedCount: counts?.byOperation.length,
    need,
    managed,
    mayStore: viewer.may("credentials:manage"),
    mayChange: viewer.may("apis:write"),
    asksToDelete: new URL(request.url).searchParams.get("dialog") === "delete",
  };
}

/** Its tests and their executions are deleted moments later. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  if (form.get("intent") !== "delete") throw new Response("No such action.", { status: 400 });
  const apiId = params.apiId!;
  const { name } = await requireApiSummary(viewer, apiId);
  required(await viewer.backend.apiRegistry.deleteApi({ params: { apiId } }));
  return redirectWithToast(context, href("/api-management/list"), `${name} is deleted, with its tests and executions.`);
}

/** The other resources that are deleted, after "its environments". */
function testsInWords(count: number | undefined): string {
  if (count === 0) return " and all its executions";
  return count === undefined ? ", all its tests and executions" : `, its ${plural(count, "test")} and their executions`;
}

export default function Details() {
  const { api, details, descriptionHtml, testCount, testedCount, need, managed, mayStore, mayChange, asksToDelete } =
    useLoaderData<typeof loader>();
  const versions = details.documents.length;
  const here = href("/api-management/:apiId/details", { apiId: api.id });
  const number = (count: number | undefined) => count?.toLocaleString("en") ?? "unknown";
  return (
    <>
      <PageHeading
        title={`Settings of ${api.name}`}
        actions={
          <>
            <LinkButton href={href("/api-management/:apiId/dependencies", { apiId: api.id })} variant="quiet">
              Dependencies
            </LinkButton>
            {mayChange && (
              <>
                <LinkButton
                  href={href("/api-management/:apiId/details", { apiId: api.id }, { dialog: "delete" })}
                  variant="quiet"
                  icon="trash"
                >
                  Delete
                </LinkButton>
                <LinkButton href={href("/api-management/:apiId/details/edit", { apiId: api.id })} icon="pencil">
                  Edit
                </LinkButton>
                <LinkButton
                  href={href("/api-management/:apiId/details/import", { apiId: api.id })}
                  icon="upload"
                  variant="primary"
                >
                  Import a new version
                </LinkButton>
              </>
            )}
          </>
        }
      />
      <ManagedNote managed={managed} />
      {api.tags.length > 0 && (
        <Row gap="tiny">
          {api.tags.map((tag) => (
            <a key={tag} href={href("/api-management/list", { tag })}>
              <Badge icon={null}>{tag}</Badge>
            </a>
          ))}
        </Row>
      )}
      <Stats
        items={[
          {
            label: "Operations",
            value: number(api.operationCount),
            href: href("/api-management/:apiId/swagger", { apiId: api.id }),
          },
          {
            label: "Tested operations",
            value: number(testedCount),
            detail: `of ${number(api.operationCount)}`,
            href: href("/test-management/:apiId/manage", { apiId: api.id }),
          },
          { label: "Tests", value: number(testCount), href: href("/test-management/:apiId/tests", { apiId: api.id }) },
          {
            label: "Document issues",
            value: number(api.problemCount),
            tone: api.problemCount > 0 ? "warning" : "success",
            href: href("/api-management/:apiId/details/problems", { apiId: api.id }),
          },
        ]}
      />
      {api.effectiveBaseUrl === null && (
        <Notice
          tone="warning"
          title="No base URL"
          actions={
            mayChange && (
              <LinkButton size="small" href={href("/api-management/:apiId/details/edit", { apiId: api.id })}>
                Enter a base URL
              </LinkButton>
            )
          }
        >
          {details.metadata.ownServers?.length
            ? "Except for operations with their own server: the document has no server with an absolute URL."
            : "The document has no server with an absolute URL."}
        </Notice>
      )}
      <NeedNotice apiId={api.id} need={need} returnTo={here} mayStore={mayStore} mayChangeApi={mayChange} />
      {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
      <DetailsSections api={api} {...details} mayChange={mayChange} />
      {asksToDelete && mayChange && (
        <Dialog
          title={`Delete ${api.name}?`}
          message={`${versions === 1 ? "Its document" : `The ${versions} versions of its document`}, its environments${testsInWords(testCount)} are deleted. This can't be undone.`}
          cancelHref={here}
          action={here}
          actions={[{ name: "Delete API", value: "delete", style: "danger", icon: "trash" }]}
        />
      )}
    </>
  );
}
