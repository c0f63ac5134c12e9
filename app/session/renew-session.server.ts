import type { PortalContext } from "~/session/context";
import { sessionFrom } from "~/session/session.server";

/** The session's tokens say who somebody is: after a change of it, fresh ones. A service that is away changes nothing. */
export async function renewSession({ session, connectAsPortal }: PortalContext): Promise<void> {
  if (!session.auth) return;
  const { securityService } = await connectAsPortal();
  const answer = await securityService.refreshForPortal({ body: { refreshToken: session.auth.refreshToken } });
  if (answer.ok) session.renew(sessionFrom(answer.value, Date.now() / 1_000));
}
