import { redirect } from "@remix-run/node";
import type { Scope } from "#contracts/kit/endpoint.ts";
import { type ProblemDetails, problemTitles } from "#contracts/kit/problem.ts";
import type { Backend } from "~/backend/backend";
import { problemResponse } from "~/backend/responses";
import { billingFor } from "~/features/plans/picked-plan";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { loginPath } from "~/session/redirects";
import { accessNeeded } from "~/session/route-access";
import type { AuthSession } from "~/session/stored-session";

/** The page's viewer, with the backend opened in their name. */
export interface Viewer {
  session: AuthSession;
  backend: Backend;
  may(scope: Scope): boolean;
}

const signInUnknown: ProblemDetails = {
  type: "about:blank",
  title: problemTitles.service_unavailable,
  status: 503,
  code: "service_unavailable",
  detail: "You stay signed in, and nothing was changed. Try again shortly.",
  service: "security-service",
};

/** Undefined for a visitor who is not signed in. */
export function findViewer(context: PortalContext): Viewer | undefined {
  const session = context.session.auth;
  if (!session || context.session.isUndecided) return undefined;
  return {
    session,
    backend: context.connect({ token: session.accessToken, requestId: context.requestId }),
    may: (scope) => session.scopes.includes(scope),
  };
}

/**
 * Every loader and action of a page that is not public starts with this: visitors are redirected to sign-in and back,
 * viewers who must set up a second factor go to its page, and a missing scope (as named by `route-access.ts`) is
 * answered 403. The service checks it again.
 */
export async function requireViewer(request: Request, context: PortalContext): Promise<Viewer> {
  const viewer = findViewer(context);
  if (context.session.isUndecided) throw problemResponse(signInUnknown);
  if (!viewer) throw redirect(loginPath(request), 303);
  const isOfProfile = `${new URL(request.url).pathname}/`.startsWith(`${href("/profile")}/`);
  if (viewer.session.needsSecondFactor && !isOfProfile) throw redirect(href("/profile/second-factor"), 303);
  const access = accessNeeded(request);
  if (access !== "public" && access !== "signed-in") requireScope(viewer, access);
  return viewer;
}

/**
 * For pages that only visitors need, such as registering: signed-in users go to the dashboard, or to billing with the
 * plan that they picked.
 */
export function requireVisitor(context: PortalContext, serviceId?: string | null): void {
  const viewer = findViewer(context);
  if (viewer) throw redirect((viewer.may("billing:manage") && billingFor(serviceId)) || href("/dashboard"));
}

/** For one of several actions of a form that needs more than the page's other actions. */
export function requireScope(viewer: Viewer, scope: Scope): void {
  if (viewer.may(scope)) return;
  throw problemResponse({
    type: "about:blank",
    title: "Error",
    status: 403,
    code: "forbidden",
    detail: "You don't have permission to access this resource",
  });
}
