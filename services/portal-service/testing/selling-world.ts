import pino from "pino";
import { createEgress, parseEgressAllow } from "#libraries/egress/egress.ts";
import { type RunningSandbox, startSandbox } from "../../../tests/support/paypal/running-sandbox.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { rememberRows } from "../../kit/testing/remembered-rows.ts";
import { createVault } from "../../kit/vault/vault.ts";
import { observeTruth } from "../jobs/observed-truth.ts";
import { createOwnPlans } from "../jobs/own-plans.ts";
import { createProviderTruth } from "../jobs/provider-truth.ts";
import { createSubscriptionChecks } from "../jobs/subscription-checks.ts";
import { createPayPal } from "../payment/paypal/paypal.ts";
import type { PortalServiceOptions } from "../service.ts";
import { type PortalTables, schemaName } from "../store/tables.ts";
import { createPortalWorld, secretsKey } from "./world.ts";

const ours = { id: "WHOURS1", url: "ours" };
/** Another portal's, at the same PayPal account. */
const others = { id: "WHOTHER1", url: "another's" };
export const portalOrigin = "https://portal.example";

/** One delivery of a webhook. */
export interface SentWebhook {
  headers: Record<string, string>;
  body: string;
}

/**
 * A selling portal-service with the real adapter and the sandbox over HTTP; one clock for both.
 * @param options `answerMilliseconds` for a long run on a busy machine; `work` for a world that sends emails,
 * delivers webhooks and checks as time passes: otherwise only by `takeTurn` and `sandbox.turn`
 */
export async function createSellingWorld(
  database: Database,
  options: Partial<Pick<PortalServiceOptions, "work" | "webhookLimits">> & { responseMilliseconds?: number } = {},
) {
  const clock = movableClock(new Date());
  const sentOthers: SentWebhook[] = [];
  let deliver = async (_headers: Record<string, string>, _body: string): Promise<number> => 503;
  const sandbox: RunningSandbox = await startSandbox(database, {
    clock,
    webhooks: () => [ours, others],
    actsByItself: options.work ?? false,
    async post(url, headers, body) {
      if (url === ours.url) return await deliver(headers, body);
      sentOthers.push({ headers, body });
      return 200;
    },
  });
  const egress = createEgress({
    policy: { allow: parseEgressAllow(`127.0.0.1:${sandbox.port}`), allowLoopback: false, ownTargets: [] },
  });
  const provider = createPayPal({
    apiUrl: sandbox.base,
    clientId: sandbox.clientId,
    clientSecret: sandbox.clientSecret,
    webhookId: ours.id,
    egress,
    clock,
    pause: async () => {},
    responseMilliseconds: options.responseMilliseconds,
  });
  const parts = { clock, provider, portalOrigin: () => portalOrigin };
  const world = await createPortalWorld(database, {
    ...parts,
    work: options.work ?? false,
    webhookLimits: options.webhookLimits ?? { perMinute: 10_000, perMinuteOfAddress: 10_000, atOnce: 8 },
  });
  const db = database.inSchema<PortalTables>(schemaName);
  const requesting = { ...parts, db, log: pino({ level: "silent" }) };
  /** The service publishes plans; this function only reads them. */
  const emails = { emailChange: async () => {}, emailTrialEnds: async () => {}, emailEnded: async () => {} };
  const ownPlans = createOwnPlans({ db, clock, emails, publisher: { publish: async () => {} } });
  const truth = observeTruth(
    createProviderTruth({ ...requesting, vault: createVault(secretsKey), ownPlans, emails }),
    requesting,
  );
  /** PayPal's webhooks as received. */
  async function send(headers: Record<string, string>, body: string): Promise<number> {
    const request = new Request("http://service.internal/api/v1/paypal/webhooks", { method: "POST", headers, body });
    return (await world.fetch(request)).status;
  }
  deliver = send;
  const putBack = await rememberRows(database, schemaName);

  return {
    ...world,
    clock,
    db,
    sandbox,
    provider,
    truth,
    /** Checks everything due, as the job does every second. */
    takeTurn: createSubscriptionChecks({ ...requesting, truth }).turn,
    send,
    /** PayPal's webhooks to others of the same account. */
    sentOthers,
    /** Whether webhooks arrive. */
    listens(to: boolean) {
      deliver = to ? send : async () => 503;
    },
    /** Webhooks stored instead of delivered. */
    collect(): SentWebhook[] {
      const collected: SentWebhook[] = [];
      deliver = async (headers, body) => {
        collected.push({ headers, body });
        return 200;
      };
      return collected;
    },
    /**
     * Resets between tests of a file: no sales, an empty PayPal, and another day, so that nothing of the previous
     * test is waited for.
     */
    async startAnew() {
      deliver = async () => 200;
      await sandbox.forget();
      sandbox.faults.length = 0;
      sentOthers.length = 0;
      world.mail.emails.length = 0;
      world.sendSecurityAway(false);
      clock.advance(86_400_000);
      await putBack();
      deliver = send;
    },
    async stop() {
      await world.stop();
      await sandbox.stop();
      await egress.close();
    },
  };
}

export type SellingWorld = Awaited<ReturnType<typeof createSellingWorld>>;
