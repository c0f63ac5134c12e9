import type { LoaderFunctionArgs } from "@remix-run/node";
import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import { findOperation } from "~/features/test-editor/editor-context.server";
import { requireViewer } from "~/session/guards";

/** The schema of a JSON body, for the editor's completion and validation. */
export interface BodySchema {
  schema?: SchemaObject;
  components: Record<string, SchemaObject>;
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const operation = { method: search.get("method") ?? "", path: search.get("path") ?? "" };
  const described = await findOperation(viewer, params.apiId!, operation);
  const content = described?.operation.requestBody?.content ?? [];
  const json = content.find(({ mediaType }) => /[/+]json\b/i.test(mediaType)) ?? content[0];
  const result: BodySchema = { schema: json?.schema, components: described?.components ?? {} };
  return Response.json(result);
}
