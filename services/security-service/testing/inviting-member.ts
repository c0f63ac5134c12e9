import type { Invitation } from "#contracts/security-service/invitations.ts";
import type { createVisitors } from "./visitors.ts";

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof createVisitors>>["requireMember"]>>;

/** An administrator's calls about invitations. */
export function createInviter({ client }: Pick<Member, "client">) {
  const find = async (invitationId: string) => {
    const result = await client.getInvitation({ params: { invitationId } });
    return result.ok ? result.value : undefined;
  };
  return {
    async requireInvited(emails: string[]): Promise<Invitation[]> {
      const result = await client.invite({ body: { emails, roles: ["EDITOR"] } });
      if (!result.ok) throw new Error(JSON.stringify(result.problem));
      return result.value.items;
    },
    statusOf: async (invitationId: string) => (await find(invitationId))?.status,
    historyOf: async (invitationId: string) => (await find(invitationId))?.history,
    async count(status?: string) {
      const result = await client.countInvitations({ query: { status } });
      return result.ok ? result.value.count : undefined;
    },
  };
}
