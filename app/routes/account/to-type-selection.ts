import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { href } from "~/href";
import { requireVisitor } from "~/session/guards";

/** Other names of where registering begins. */
export function loader({ request, context }: LoaderFunctionArgs) {
  requireVisitor(context);
  const serviceId = new URL(request.url).searchParams.get("serviceId");
  return redirect(href("/registration-type-selection", { serviceId }));
}
