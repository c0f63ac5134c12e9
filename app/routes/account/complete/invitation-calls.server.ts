import { rolesInWords } from "~/features/people/role-words";
import type { CompletionCalls } from "./completion.server";

export const invitationCalls: CompletionCalls = {
  async find({ backend, headers }, token) {
    const answer = await backend.securityService.getInvitationOffer({ headers, params: { token } });
    if (!answer.ok) return answer;
    const { email, organizationName, invitedBy, roles } = answer.value;
    const details = [
      { term: "Organization", value: organizationName },
      { term: "Invited by", value: invitedBy },
      { term: roles.length === 1 ? "Your role" : "Your roles", value: rolesInWords(roles) },
      { term: "E-mail address", value: email },
    ];
    return { ...answer, value: { email, details } };
  },
  sendCode: ({ backend, headers }, body) => backend.securityService.sendInvitationCode({ headers, body }),
  createAccount: ({ backend, headers }, body) => backend.securityService.createAccountByInvitation({ headers, body }),
};
