import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { html } from "remix-utils/responses";
import { groupKeyIn, readGroups } from "~/features/operation/operation-group";
import { requireViewer } from "~/session/guards";
import { formatCount } from "~/ui/count/format-count";
import { requireApiSummary } from "../api-summary.server";
import { GroupRows, OperationList } from "./operation-list";
import { loadGroup, loadSidebar } from "./sidebar.server";

/**
 * The list of operations alone, or the rows of one group, for the island: the same markup as in the page, so no
 * template is sent as script.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const search = new URL(request.url).searchParams;
  const group = groupKeyIn(search);
  const opened = readGroups(search);
  if (group && search.get("rows") === "only") {
    const rows = await loadGroup(viewer, apiId, group);
    return html(renderToStaticMarkup(<GroupRows {...{ apiId, opened }} group={rows} />));
  }
  const query = search.get("query")?.trim().slice(0, 200) || undefined;
  const api = await requireApiSummary(viewer, apiId);
  const sidebar = await loadSidebar(viewer, api, { query, group: query ? undefined : group, opened });
  const current = { method: search.get("method") ?? "", path: search.get("path") ?? "" };
  return html(renderToStaticMarkup(<OperationList sidebar={sidebar} current={current} />), {
    headers: { "x-operation-count": formatCount(sidebar.found ?? api.operationCount) },
  });
}
