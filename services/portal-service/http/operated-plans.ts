import type { Logger } from "pino";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { OperatedPlan } from "#contracts/portal-service/operated-plans.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { type Money, parseMoney } from "../domain/money.ts";
import { isSamePlan } from "../domain/plan-change.ts";
import { planIdFor } from "../domain/plan-id.ts";
import type { ProviderTruth } from "../jobs/provider-truth.ts";
import { ProviderFailure } from "../payment/provider.ts";
import { insertPlan, lockPlans, offerPrice, retirePlan, updatePlan } from "../store/operated-plans.ts";
import { settleAllOn } from "../store/organization-plans.ts";
import { listPlans, type Plan } from "../store/plans.ts";
import { listPrices, type Offer, type OfferedPrice } from "../store/provider-plans.ts";
import type { PortalDatabase, PortalTransaction } from "../store/tables.ts";

type OperatedPlanHandlers = Pick<
  Handlers<typeof portalServiceContract>,
  "listOperatedPlans" | "getOperatedPlan" | "createPlan" | "changePlan" | "offerPlanPrice" | "retirePlan" | "offerPlan"
>;

interface OperatedPlanParts {
  db: PortalDatabase;
  clock: Clock;
  /** Undefined without a payment provider. */
  truth: Pick<ProviderTruth, "ensurePlan"> | undefined;
}

const isFree = ({ price }: Plan) => Number(price.amount) === 0;
const getPrice = ({ price }: Plan): Money => parseMoney(price.amount, price.currency);
const getOffer = (plan: Plan): Offer => ({
  serviceId: plan.serviceId,
  price: getPrice(plan),
  trialDays: plan.trialDays,
});
const isSameOffer = (one: Offer, other: Offer) => isSamePlan(one, other) && one.trialDays === other.trialDays;

function show(plan: Plan, prices: OfferedPrice[]): OperatedPlan {
  const { serviceId, name, description, limits, trialDays, retiredAt } = plan;
  const own = prices.filter((one) => one.serviceId === serviceId);
  const offer = getOffer(plan);
  return {
    ...{ serviceId, name, description, price: offer.price, trialDays, limits },
    isFree: isFree(plan),
    retiredAt: retiredAt?.toISOString() ?? null,
    subscribers: own.reduce((sum, { subscribers }) => sum + subscribers, 0),
    prices: own.map(({ offeredAt, providerId, subscribers, ...had }) => ({
      price: had.price,
      trialDays: had.trialDays,
      offeredAt: offeredAt?.toISOString() ?? null,
      isOffered: retiredAt === null && isSameOffer(had, offer),
      subscribers,
      providerId,
    })),
  };
}

const getAudited = ({ name, description, limits, price, trialDays, retiredAt }: Plan) => ({
  ...{ name, description, limits },
  price: `${price.amount} ${price.currency}`,
  trialDays,
  retiredAt: retiredAt?.toISOString() ?? null,
});

/**
 * An amount with the digits of its currency.
 * @throws Problem naming the field
 */
function readPrice(decimal: string, currency: string, path: string): Money {
  try {
    return parseMoney(decimal, currency);
  } catch {
    throw new Problem("invalid_input", undefined, {
      errors: [{ path, message: `${currency} has fewer digits after the point` }],
    });
  }
}

/** Creates the handlers of the operator's changes to plans and prices. */
export function createOperatedPlanHandlers({ db, clock, truth }: OperatedPlanParts): OperatedPlanHandlers {
  async function requirePlan(serviceId: string, within: PortalDatabase | PortalTransaction = db): Promise<Plan> {
    const plan = (await listPlans(within)).find((one) => one.serviceId === serviceId);
    if (!plan) throw notFound("plan");
    return plan;
  }

  async function showOne(serviceId: string): Promise<OperatedPlan> {
    return show(await requirePlan(serviceId), await listPrices(db));
  }

  /** Nothing is lost when the provider does not respond: the next subscription requests it again. */
  async function ensure(log: Pick<Logger, "warn">, serviceId: string): Promise<void> {
    try {
      await truth?.ensurePlan(getOffer(await requirePlan(serviceId)));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ kind: error.kind, reason: error.message }, "the payment provider makes a plan later");
    }
  }

  function refuseSameName(plans: Plan[], name: string, own?: string): void {
    const isTaken = plans.some((plan) => plan.serviceId !== own && plan.name.toLowerCase() === name.toLowerCase());
    if (!isTaken) return;
    const message = "There is a plan of this name already";
    throw new Problem("invalid_input", undefined, { errors: [{ path: "name", message }] });
  }

  /** Changes one plan while no other change runs. */
  async function change(
    {
      params,
      record,
    }: { params: { serviceId: string }; record: Parameters<OperatedPlanHandlers["changePlan"]>[0]["record"] },
    work: (transaction: PortalTransaction, plan: Plan) => Promise<void>,
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await lockPlans(transaction);
      const before = await requirePlan(params.serviceId, transaction);
      await work(transaction, before);
      const after = await requirePlan(params.serviceId, transaction);
      await record(transaction, { id: params.serviceId, before: getAudited(before), after: getAudited(after) });
    });
  }

  return {
    async listOperatedPlans() {
      const prices = await listPrices(db);
      return { items: (await listPlans(db)).map((plan) => show(plan, prices)), nextCursor: null };
    },

    getOperatedPlan: ({ params }) => showOne(params.serviceId),

    async createPlan({ body, record, log }) {
      const price = readPrice(body.price.amount, body.price.currency, "price.amount");
      const serviceId = await db.transaction().execute(async (transaction) => {
        await lockPlans(transaction);
        const plans = await listPlans(transaction);
        refuseSameName(plans, body.name);
        const id = planIdFor(
          body.name,
          plans.map((plan) => plan.serviceId),
        );
        await insertPlan(transaction, id, { ...body, price });
        await offerPrice(transaction, { serviceId: id, price, trialDays: body.price.trialDays }, clock.now());
        await record(transaction, { id, after: getAudited(await requirePlan(id, transaction)) });
        return id;
      });
      await ensure(log, serviceId);
      return await showOne(serviceId);
    },

    async changePlan({ params, body, record }) {
      await change({ params, record }, async (transaction, { serviceId }) => {
        refuseSameName(await listPlans(transaction), body.name, serviceId);
        await updatePlan(transaction, serviceId, body);
        await settleAllOn(transaction, serviceId, clock.now());
      });
      return await showOne(params.serviceId);
    },

    async offerPlanPrice({ params, body, record, log }) {
      await change({ params, record }, async (transaction, plan) => {
        if (isFree(plan)) throw new Problem("conflict", "This plan is free, and stays so.");
        const price = readPrice(body.amount, plan.price.currency, "amount");
        const offer = { serviceId: plan.serviceId, price, trialDays: body.trialDays };
        if (!isSameOffer(offer, getOffer(plan))) await offerPrice(transaction, offer, clock.now());
      });
      await ensure(log, params.serviceId);
      return await showOne(params.serviceId);
    },

    async retirePlan({ params, record }) {
      await change({ params, record }, async (transaction, plan) => {
        if (isFree(plan)) throw new Problem("conflict", "Who pays for no plan has this one: it can't be retired.");
        if (!plan.retiredAt) await retirePlan(transaction, plan.serviceId, clock.now());
      });
      return await showOne(params.serviceId);
    },

    async offerPlan({ params, record }) {
      await change({ params, record }, (transaction, plan) => retirePlan(transaction, plan.serviceId, null));
      return await showOne(params.serviceId);
    },
  };
}
