import type { ActionFunctionArgs } from "@remix-run/node";
import { answerAddress, answerSend } from "~/features/test-editor/editor-action.server";
import { readForm } from "~/forms/read-form.server";
import { requireViewer } from "~/session/guards";

/** Serves the editor's script when "Send" is pressed, or when it needs the request's URL; without script the page itself sends. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const operation = { method: search.get("method") ?? "", path: search.get("path") ?? "" };
  const form = await readForm(request);
  const location = { viewer, context, apiId: params.apiId!, operation };
  if (form.get("then") === "resolve") return Response.json({ address: await answerAddress(form, location) });
  const { reply, status } = await answerSend(form, location);
  return Response.json(reply, { status });
}
