import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { CodeBlock } from "~/ui/code-block/code-block";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { Stack } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { DriftedFields } from "./drifted-fields";
import { nameObject, toFragment } from "./fragment.server";

export const meta: MetaFunction = () => [{ title: "Assurance as code · API Assurance" }];

const objectsOnPage = 20;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "tests:read");
  requireScope(viewer, "apis:read");
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const query = { drifted: "true" as const, limit: objectsOnPage, cursor };
  const page = required(await viewer.backend.testRegistry.pullCode({ query }));
  return {
    address: request.url,
    cursor,
    nextCursor: page.nextCursor,
    drifted: page.items.map((item) => ({
      ...{ id: `${item.kind}-${item.id}`, name: item.name, object: nameObject(item), fields: item.drift },
      ...{ fragment: toFragment(item), repository: item.applied?.repository, commit: item.applied?.commit },
    })),
  };
}

export default function Code() {
  const { address, cursor, nextCursor, drifted } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Assurance as code"
        description="What the files of a repository define, and what was changed in the portal since they were applied."
        breadcrumbs={[{ label: "Organization", href: href("/organization") }, { label: "Assurance as code" }]}
        actions={
          drifted.length > 0 && (
            <LinkButton href={href("/organization/code/drift.yaml")} icon="download">
              Download as YAML
            </LinkButton>
          )
        }
      />
      {drifted.length === 0 ? (
        <EmptyState title="No differences from the files">
          Everything in the files is as last applied. The command line writes an organization to files with{" "}
          <code>assurance pull</code>, and applies them with <code>assurance apply</code>.
        </EmptyState>
      ) : (
        <Stack>
          <p>
            <code>assurance pull</code> takes these changes over into the files; each is below as it belongs there.
          </p>
          {drifted.map(({ id, name, object, fields, fragment, repository, commit }) => (
            <Card
              key={id}
              title={name}
              description={`${object}${repository ? `, in ${repository}` : ""}${commit ? ` at ${commit.slice(0, 12)}` : ""}`}
            >
              <Stack>
                <DriftedFields fields={fields} />
                <CodeBlock id={id} label="As it is now" code={fragment} copy />
              </Stack>
            </Card>
          ))}
        </Stack>
      )}
      <CursorPages label="Pages of changed objects" {...{ address, cursor, nextCursor }} />
    </>
  );
}
