import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";

/** Redirects the area's own address to its first page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(href("/test-management/select-api"), 303);
}
