import type { VisitorConnection } from "~/session/visitor";
import type { CompletionCalls } from "./completion.server";

/** The plan's name, or its id where the plans can't be read. */
async function nameService({ backend, headers }: VisitorConnection, serviceId: string): Promise<string> {
  const result = await backend.portalService.listServices({ headers });
  const service = result.ok ? result.value.items.find(({ id }) => id === serviceId) : undefined;
  return service?.name ?? serviceId;
}

export const registrationCalls: CompletionCalls = {
  async find(visitor, token) {
    const { backend, headers } = visitor;
    const result = await backend.securityService.getRegistration({ headers, body: { token } });
    if (!result.ok) return result;
    const { email, organizationName, serviceId } = result.value;
    const details = [
      organizationName ? { term: "Organization", value: organizationName } : { term: "Account", value: "Individual" },
      { term: "Email address", value: email },
      { term: "Plan", value: serviceId ? await nameService(visitor, serviceId) : "Free" },
    ];
    return { ...result, value: { email, details } };
  },
  sendCode: ({ backend, headers }, body) => backend.securityService.sendRegistrationCode({ headers, body }),
  createAccount: ({ backend, headers }, body) => backend.securityService.createAccount({ headers, body }),
};
