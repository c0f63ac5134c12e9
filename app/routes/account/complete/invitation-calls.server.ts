import { rolesInWords } from "~/features/people/role-words";
import type { CompletionCalls } from "./completion.server";

export const invitationCalls: CompletionCalls = {
  async find({ backend, headers }, token) {
    const result = await backend.securityService.getInvitationOffer({ headers, params: { token } });
    if (!result.ok) return result;
    const { email, organizationName, invitedBy, roles } = result.value;
    const details = [
      { term: "Organization", value: organizationName },
      { term: "Invited by", value: invitedBy },
      { term: roles.length === 1 ? "Your role" : "Your roles", value: rolesInWords(roles) },
      { term: "Email address", value: email },
    ];
    return { ...result, value: { email, details } };
  },
  sendCode: ({ backend, headers }, body) => backend.securityService.sendInvitationCode({ headers, body }),
  createAccount: ({ backend, headers }, body) => backend.securityService.createAccountByInvitation({ headers, body }),
};
