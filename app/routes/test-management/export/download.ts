import type { LoaderFunctionArgs } from "@remix-run/node";
import { makeZip } from "client-zip";
import { requireViewer } from "~/session/guards";
import { makeExport, readExport } from "./requested-export.server";

/** The file of an export, or an archive of its files. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { files, format } = await makeExport(viewer, readExport(request, params.apiId!));
  const [first, ...others] = files;
  if (!first) throw new Response("There is nothing to export.", { status: 404 });
  const base = first.path.split("/").at(0)!;
  const name = others.length > 0 ? `${base.replace(/\.[\w.]+$/, "")}.${format}.zip` : base;
  const body = others.length > 0 ? makeZip(files.map(({ path, text }) => ({ name: path, input: text }))) : first.text;
  return new Response(body, {
    headers: {
      "content-type": others.length > 0 ? "application/zip" : "application/octet-stream",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
