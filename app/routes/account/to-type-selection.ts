import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { registrationAddress } from "~/plans/registration-address";
import { requireVisitor } from "~/session/guards";

/** Other names of where registering begins. */
export function loader({ request, context }: LoaderFunctionArgs) {
  requireVisitor(context);
  const serviceId = new URL(request.url).searchParams.get("serviceId");
  return redirect(registrationAddress("/registration-type-selection", serviceId));
}
