import type { PortalContext } from "~/session/context";
import { sessionFrom } from "~/session/session.server";

/**
 * Refreshes the session's tokens after a change of the user's details, which they contain. An unavailable service
 * changes nothing.
 */
export async function renewSession({ session, connectAsPortal }: PortalContext): Promise<void> {
  if (!session.auth?.refreshToken) return;
  const { securityService } = await connectAsPortal();
  const result = await securityService.refreshForPortal({ body: { refreshToken: session.auth.refreshToken } });
  if (result.ok) session.renew(sessionFrom(result.value, Date.now() / 1_000));
}
