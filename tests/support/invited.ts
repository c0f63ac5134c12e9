import { requireValue } from "../../services/kit/client/client.ts";
import { mailedLink } from "./mailed.ts";
import { signInToBackend } from "./portal-backend.ts";
import type { RunningPortal } from "./portal-process.ts";

export interface Invited {
  invitationId: string;
  link: string;
}

/** Invites a user through the API, as the administrator. */
export async function inviteByMail(
  portal: RunningPortal,
  email: string,
  role: "EDITOR" | "VIEWER" = "EDITOR",
): Promise<Invited> {
  const backend = await signInToBackend(portal);
  const body = { emails: [email], roles: [role] };
  const { items } = requireValue(await backend.securityService.invite({ body }), "inviting");
  return { invitationId: items[0]!.id, link: await mailedLink(portal, email, /invit/i) };
}
