import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { html } from "remix-utils/responses";
import { findEverything, readQuery } from "~/features/search/find-everything.server";
import { KeyTable } from "~/features/search/key-table";
import { Suggestions } from "~/features/search/suggestions";
import { requireViewer } from "~/session/guards";

/** The options of the search dialog as HTML, so that the script needs no template; with `?keys`, the list of keys. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const headers = { "cache-control": "no-store" };
  if (search.has("keys")) return html(renderToStaticMarkup(<KeyTable />), { headers });
  const query = readQuery(search);
  const found = await findEverything(viewer, context, { query, withStatus: false });
  return html(renderToStaticMarkup(<Suggestions query={query} found={found} />), { headers });
}
