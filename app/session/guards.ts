import { redirect } from "@remix-run/node";
import { problemResponse } from "~/backend/answers";
import type { Backend } from "~/backend/backend";
import type { PortalContext } from "~/session/context";
import { loginPath } from "~/session/redirects";
import type { AuthSession } from "~/session/session.server";
import type { Scope } from "../../services/kit/contract/operation.ts";

/** Who looks at the page, with the backend opened in their name. */
export interface Viewer {
  session: AuthSession;
  backend: Backend;
  may(scope: Scope): boolean;
}

/** Undefined for a visitor who is not signed in. */
export function findViewer(context: PortalContext): Viewer | undefined {
  const session = context.session.auth;
  if (!session) return undefined;
  return {
    session,
    backend: context.connect({ token: session.accessToken, requestId: context.requestId }),
    may: (scope) => session.scopes.includes(scope),
  };
}

/** Every signed-in route's loader and action starts here; visitors are sent to sign in and come back. */
export async function requireViewer(request: Request, context: PortalContext): Promise<Viewer> {
  const viewer = findViewer(context);
  if (!viewer) throw redirect(loginPath(request), 303);
  return viewer;
}

/** Like requireViewer, and answers 403 without the scope. The service checks it again; this only saves the call. */
export async function requireScope(request: Request, context: PortalContext, scope: Scope): Promise<Viewer> {
  const viewer = await requireViewer(request, context);
  if (!viewer.may(scope)) {
    throw problemResponse({
      type: "about:blank",
      title: "Error",
      status: 403,
      code: "forbidden",
      detail: "You don't have permission to access this resource",
    });
  }
  return viewer;
}
