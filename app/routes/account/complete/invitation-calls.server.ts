import type { z } from "zod";
import type { invitationOffer } from "../../../../services/security-service/contract/invitations.ts";
import type { CompletionCalls } from "./completion.server";

type InvitationOffer = z.infer<typeof invitationOffer>;

const roleWords: Record<InvitationOffer["roles"][number], string> = {
  ADMIN: "Administrator",
  EDITOR: "Editor",
  VIEWER: "Viewer",
};

export const invitationCalls: CompletionCalls = {
  async find({ backend, headers }, token) {
    const answer = await backend.securityService.getInvitationOffer({ headers, params: { token } });
    if (!answer.ok) return answer;
    const { email, organizationName, invitedBy, roles } = answer.value;
    const details = [
      { term: "Organization", value: organizationName },
      { term: "Invited by", value: invitedBy },
      { term: roles.length === 1 ? "Your role" : "Your roles", value: roles.map((role) => roleWords[role]).join(", ") },
      { term: "E-mail address", value: email },
    ];
    return { ...answer, value: { email, details } };
  },
  sendCode: ({ backend, headers }, body) => backend.securityService.sendInvitationCode({ headers, body }),
  createAccount: ({ backend, headers }, body) => backend.securityService.createAccountByInvitation({ headers, body }),
};
