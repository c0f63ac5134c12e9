import type { Invitation } from "#contracts/security-service/invitations.ts";
import type { createVisitors } from "./visitors.ts";

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof createVisitors>>["requireMember"]>>;

/** An administrator's calls about invitations. */
export function createInviter({ client }: Pick<Member, "client">) {
  const find = async (invitationId: string) => {
    const answer = await client.getInvitation({ params: { invitationId } });
    return answer.ok ? answer.value : undefined;
  };
  return {
    async requireInvited(emails: string[]): Promise<Invitation[]> {
      const answer = await client.invite({ body: { emails, roles: ["EDITOR"] } });
      if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
      return answer.value.items;
    },
    statusOf: async (invitationId: string) => (await find(invitationId))?.status,
    historyOf: async (invitationId: string) => (await find(invitationId))?.history,
    async count(status?: string) {
      const answer = await client.countInvitations({ query: { status } });
      return answer.ok ? answer.value.count : undefined;
    },
  };
}
