import type { LoaderFunctionArgs } from "@remix-run/node";
import type { PulledItem } from "#contracts/test-registry/code.ts";
import { required } from "~/backend/responses";
import { requireScope, requireViewer } from "~/session/guards";
import { nameObject, toFragment } from "./fragment.server";

/** All objects that were changed in the portal since files were applied, as they belong into the files. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "tests:read");
  requireScope(viewer, "apis:read");
  const items: PulledItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { drifted: "true" as const, limit: 1_000, cursor };
    const page = required(await viewer.backend.testRegistry.pullCode({ query }));
    items.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const text = items.map((item) => `# ${nameObject(item)}\n${toFragment(item)}`).join("\n");
  return new Response(text, {
    headers: {
      "content-type": "application/yaml",
      "content-disposition": 'attachment; filename="drift.yaml"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
