import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";

/** Redirects both addresses of an API to its first page. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(href("/test-management/:apiId/manage", { apiId: params.apiId! }), 303);
}
