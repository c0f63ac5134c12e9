import type { Subscription } from "#contracts/portal-service/subscriptions.ts";
import type { CallResult } from "../../kit/client/client.ts";
import type { SellingWorld } from "./selling-world.ts";

/** @throws the problem of a refusal */
export async function requireValue<Value>(result: Promise<CallResult<Value>>): Promise<Value> {
  const got = await result;
  if (!got.ok) throw new Error(JSON.stringify(got.problem));
  return got.value;
}

/** The parameters that a buyer's browser brings back from the provider, as the portal forwards them. */
export const broughtBy = (address: URL) => ({
  params: { providerId: address.searchParams.get("subscription_id") ?? "-" },
  body: {
    ba_token: address.searchParams.get("ba_token") ?? undefined,
    token: address.searchParams.get("token") ?? undefined,
  },
});

/** A user who may subscribe for an organization, and their actions. */
export function createBuyer(world: SellingWorld, organizationId = world.organizationId) {
  const client = world.member({ scopes: ["billing:manage"], organizationId });
  const getParams = ({ id }: Pick<Subscription, "id">) => ({ params: { subscriptionId: id } });
  const buyer = {
    client,
    organizationId,
    subscribe: (serviceId = "team") => requireValue(client.createSubscription({ body: { serviceId } })),
    read: (one: Pick<Subscription, "id">) => requireValue(client.getSubscription(getParams(one))),
    cancel: (one: Pick<Subscription, "id">) => requireValue(client.cancelSubscription(getParams(one))),
    async entries(one: Pick<Subscription, "id">) {
      const { items } = await requireValue(
        client.listSubscriptionEntries({ ...getParams(one), query: { limit: 200 } }),
      );
      return items;
    },
    payments: async () => (await requireValue(client.listPayments())).items,
    comeBack: (address: URL) => requireValue(client.verifySubscription(broughtBy(address))),
    /** Approves at this address, and returns. */
    approve: async (approveUrl: string | null | undefined) =>
      await buyer.comeBack(await world.sandbox.decide(approveUrl!, "approve")),
    changeTo: (one: Pick<Subscription, "id">, serviceId: string) =>
      requireValue(client.createPlanChange({ ...getParams(one), body: { serviceId } })),
    async history(one: Pick<Subscription, "id">): Promise<string[]> {
      return (await buyer.entries(one)).map(({ text }) => text);
    },
    /** Subscribes, approves and returns. */
    async subscribed(serviceId = "team"): Promise<Subscription & { providerId: string }> {
      const { approveUrl } = await buyer.subscribe(serviceId);
      const back = await world.sandbox.decide(approveUrl!, "approve");
      return { ...(await buyer.comeBack(back)), providerId: back.searchParams.get("subscription_id")! };
    },
  };
  return buyer;
}

export type Buyer = ReturnType<typeof createBuyer>;
