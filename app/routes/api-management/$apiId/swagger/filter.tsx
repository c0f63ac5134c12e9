import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { html } from "remix-utils/responses";
import { requireViewer } from "~/session/guards";
import { requireApiSummary } from "../api-summary.server";
import { OperationList } from "./operation-list";
import { loadSidebar } from "./sidebar.server";

/** The list of operations alone, for the island: the same markup as in the page, so nothing of it is sent as script. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const query = search.get("query")?.trim().slice(0, 200) || undefined;
  const tag = query ? undefined : (search.get("tag") ?? undefined);
  const api = await requireApiSummary(viewer, params.apiId!);
  const sidebar = await loadSidebar(viewer, api, { query, tag });
  const current = { method: search.get("method") ?? "", path: search.get("path") ?? "" };
  return html(renderToStaticMarkup(<OperationList sidebar={sidebar} current={current} />), {
    headers: { "x-operation-count": `${sidebar.operations.length}${sidebar.more ? "+" : ""}` },
  });
}
