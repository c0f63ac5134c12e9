import type { ActionFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { html } from "remix-utils/responses";
import { required } from "~/backend/responses";
import { readRequestUpload, storeUploads } from "~/features/request-files/uploads.server";
import { requireViewer } from "~/session/guards";
import { CodeSampleList } from "./code-sample-list";
import { uploadField } from "./request-files";
import { RequestOutcome } from "./request-outcome";
import { sendFromForm } from "./sending.server";
import { typedSamples } from "./typed-samples";

/**
 * Sends the form and returns the markup of the response for the island, as the whole page would show it. A request for
 * the code sends nothing.
 */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const result = required(
    await viewer.backend.apiRegistry.getOperation({
      params: { apiId: params.apiId!, method: search.get("method") ?? "", pathName: search.get("path") ?? "" },
    }),
  );
  const upload = await readRequestUpload(request);
  if (upload.form.get("intent") === "code") {
    await storeUploads(upload, viewer, uploadField);
    return html(renderToStaticMarkup(<CodeSampleList samples={typedSamples(result, upload.form)} />));
  }
  const outcome = await sendFromForm(viewer, result, upload);
  return html(renderToStaticMarkup(<RequestOutcome outcome={outcome} />), outcome.errors.length > 0 ? 422 : 200);
}
