import type { ActionFunctionArgs } from "@remix-run/node";
import { readRequestUpload } from "~/features/request-files/uploads.server";
import { answerAddress, answerSend } from "~/features/test-editor/editor-action.server";
import { storeEditorUploads } from "~/features/test-editor/uploads.server";
import { requireViewer } from "~/session/guards";

/** Serves the editor's script when "Send" is pressed, or when it needs the request's URL; without script the page itself sends. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const operation = { method: search.get("method") ?? "", path: search.get("path") ?? "" };
  const upload = await readRequestUpload(request);
  const location = { viewer, context, apiId: params.apiId!, operation };
  if (upload.form.get("then") === "resolve") {
    await storeEditorUploads(upload, viewer);
    return Response.json({ address: await answerAddress(upload.form, location) });
  }
  const { reply, status } = await answerSend(upload, location);
  return Response.json(reply, { status });
}
