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
import { listOperations, listRelations } from "./relations";
import { ResourcePlot, toAnchor } from "./resource-plot";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Dependencies");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const { apiRegistry } = viewer.backend;
  const page = required(await apiRegistry.listResources({ params: { apiId }, query: { limit: maxResources, cursor } }));
  const operations = listOperations(page.items).slice(0, maxOperations);
  const needed =
    operations.length === 0
      ? []
      : required(await apiRegistry.findDependencies({ params: { apiId }, body: { operations } })).consumers;
  const isWhole = cursor === undefined && !page.nextCursor;
  return { ...page, apiId, cursor, address: request.url, relations: listRelations(page.items, needed), isWhole };
}

/** Of one page: as many as can be overlooked in a plot, too. */
const maxResources = 40;
/** Whose needs can be asked for at once. */
const maxOperations = 200;

const rolesInWords: Record<ResourceRole, string> = {
  list: "lists them",
  create: "creates one",
  read: "reads one",
  change: "changes one",
  replace: "replaces one",
  remove: "removes one",
};

/** What an API keeps, and which operation gives what another one needs. */
export default function Dependencies() {
  const { items, total, nextCursor, apiId, cursor, address, relations, isWhole } = useLoaderData<typeof loader>();
  const names = new Map(items.map((resource, index) => [resource.key, { name: resource.name, index }]));
  const listNeeds = (key: string) => {
    const own = relations.filter(({ from }) => from === key);
    const value = own.map(({ to, where }) => (
      <div key={to}>
        <a href={`#${toAnchor(names.get(to)!.index)}`}>{toTitle(names.get(to)!.name)}</a>
        {where === undefined ? ", which its path names" : `: ${where}`}
      </div>
    ));
    return own.length === 0 ? [] : [{ term: "Needs", value }];
  };
  return (
    <>
      <PageHeading
        title="Dependencies"
        description="Resources in the document's paths, and where identifiers needed by other operations come from. Used for generated tests."
      />
      {items.length === 0 && (
        <EmptyState title="No dependencies between operations">No path of the document has a parameter.</EmptyState>
      )}
      {isWhole && relations.length > 0 && <ResourcePlot resources={items} relations={relations} />}
      {items.map((resource, index) => (
        <Card key={resource.key} id={toAnchor(index)} title={toTitle(resource.name)} headingLevel={2}>
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
              ...listNeeds(resource.key),
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
