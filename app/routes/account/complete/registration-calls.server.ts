import type { VisitorConnection } from "~/session/visitor";
import type { CompletionCalls } from "./completion.server";

/** The plan's name, or its id where the plans can't be read. */
async function nameService({ backend, headers }: VisitorConnection, serviceId: string): Promise<string> {
  const answer = await backend.portalService.listServices({ headers });
  const service = answer.ok ? answer.value.items.find(({ id }) => id === serviceId) : undefined;
  return service?.name ?? serviceId;
}

export const registrationCalls: CompletionCalls = {
  async find(visitor, token) {
    const { backend, headers } = visitor;
    const answer = await backend.securityService.getRegistration({ headers, body: { token } });
    if (!answer.ok) return answer;
    const { email, organizationName, serviceId } = answer.value;
    const details = [
      organizationName ? { term: "Organization", value: organizationName } : { term: "Account", value: "Individual" },
      { term: "E-mail address", value: email },
      { term: "Plan", value: serviceId ? await nameService(visitor, serviceId) : "Free" },
    ];
    return { ...answer, value: { email, details } };
  },
  sendCode: ({ backend, headers }, body) => backend.securityService.sendRegistrationCode({ headers, body }),
  createAccount: ({ backend, headers }, body) => backend.securityService.createAccount({ headers, body }),
};
