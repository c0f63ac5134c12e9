import type { Backend } from "~/backend/backend";
import type { PortalContext } from "~/session/context";
import { refreshEarlySeconds } from "~/session/session.server";
import type { AuthSession } from "~/session/stored-session";

/**
 * The backend in somebody's name for an answer that may take longer than an access token lives: asked for before each
 * call, and opened with a fresh token when the one before is about to end. The session's own token stays as it is, since
 * the cookie that keeps it has been answered already.
 * @throws Error once the session has ended
 */
export function createLastingBackend(
  context: Pick<PortalContext, "connectForStream" | "connectAsPortal" | "requestId">,
  { accessToken, expiresAt, refreshToken }: AuthSession,
  nowSeconds: () => number = () => Date.now() / 1_000,
): () => Promise<Backend> {
  const { requestId } = context;
  let current = { backend: context.connectForStream({ token: accessToken, requestId }), expiresAt };
  return async () => {
    if (current.expiresAt - refreshEarlySeconds > nowSeconds()) return current.backend;
    const { securityService } = await context.connectAsPortal();
    const fresh = await securityService.continueAccess({ body: { refreshToken } });
    if (!fresh.ok) throw new Error(`An answer broke off: ${fresh.problem.code} ${fresh.problem.detail}`);
    current = {
      backend: context.connectForStream({ token: fresh.value.accessToken, requestId }),
      expiresAt: nowSeconds() + fresh.value.expiresIn,
    };
    return current.backend;
  };
}
