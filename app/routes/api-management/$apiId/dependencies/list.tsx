import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { type ResourceRole, resourceRoles } from "#contracts/api-registry/resources.ts";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { titleWithin } from "~/shell/api-header/api-handle";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { DefinitionList } from "~/ui/definition-list/definition-list";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { evidenceInWords, operationInWords, producedInWords, toTitle } from "./evidence-words";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Dependencies");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const page = required(
    await viewer.backend.apiRegistry.listResources({ params: { apiId }, query: { limit: 25, cursor } }),
  );
  return { ...page, apiId, cursor, address: request.url };
}

const rolesInWords: Record<ResourceRole, string> = {
  list: "lists them",
  create: "makes one",
  read: "reads one",
  change: "changes one",
  replace: "replaces one",
  remove: "removes one",
};

/** What an API keeps, and which operation gives what another one needs. */
export default function Dependencies() {
  const { items, total, nextCursor, apiId, cursor, address } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Dependencies"
        description="What the document's paths name, and where the identifiers come from that other operations need. Tests that are made from the document use it."
      />
      {items.length === 0 && (
        <EmptyState title="No operation depends on another">No path of the document has a parameter.</EmptyState>
      )}
      {items.map((resource) => (
        <Card key={resource.key} title={toTitle(resource.name)} headingLevel={2}>
          <DefinitionList
            items={[
              { term: "Path", value: <code>{resource.item}</code> },
              {
                term: "Operations",
                value: resourceRoles.map((role) => {
                  const operation = resource.operations[role];
                  return (
                    operation && (
                      <div key={role}>
                        <code>{operationInWords(operation)}</code>
                        {` ${rolesInWords[role]}`}
                      </div>
                    )
                  );
                }),
              },
              {
                term: `{${resource.parameter}} comes from`,
                value:
                  resource.source !== resource.key ? (
                    <a href={href("/api-management/:apiId/dependencies/resource", { apiId }, { key: resource.source })}>
                      {resource.source}
                    </a>
                  ) : resource.producers.length === 0 ? (
                    "no response: it has to be given a value"
                  ) : (
                    resource.producers.map((producer) => (
                      <div key={operationInWords(producer.operation)}>
                        <code>{operationInWords(producer.operation)}</code>
                        {`, ${producedInWords(producer)}: ${evidenceInWords(producer.evidence)}`}
                      </div>
                    ))
                  ),
              },
              {
                term: "Needed",
                value: (
                  <a href={href("/api-management/:apiId/dependencies/resource", { apiId }, { key: resource.key })}>
                    {`in ${plural(resource.consumerCount, "place")} of requests`}
                  </a>
                ),
              },
            ]}
          />
        </Card>
      ))}
      <CursorPages
        label="Pages of resources"
        summary={total === undefined ? undefined : plural(total, "resource")}
        {...{ address, cursor, nextCursor }}
      />
    </>
  );
}
