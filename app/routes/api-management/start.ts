import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";

/** The area's own address leads to its first page. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(href("/api-management/list"), 303);
}
