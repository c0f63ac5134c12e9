import type { Backend } from "~/backend/backend";
import type { PortalContext } from "~/session/context";
import { refreshEarlySeconds } from "~/session/session.server";
import type { AuthSession } from "~/session/stored-session";

/**
 * The backend for a response that may take longer than the lifetime of an access token: requested before each call,
 * and reopened with a fresh token shortly before the previous one expires. The session's token is not replaced, since
 * the headers with its cookie have been sent already.
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
    if (!fresh.ok) throw new Error(`A response was cut off: ${fresh.problem.code} ${fresh.problem.detail}`);
    current = {
      backend: context.connectForStream({ token: fresh.value.accessToken, requestId }),
      expiresAt: nowSeconds() + fresh.value.expiresIn,
    };
    return current.backend;
  };
}
