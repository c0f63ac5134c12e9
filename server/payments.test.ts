import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../services/kit/database/database.ts";
import { testEngines } from "../services/kit/testing/databases.ts";
import { parseConfiguration } from "./configuration.ts";
import { openPayments, sandboxPath } from "./payments.ts";

let database: Database;
beforeEach(async () => {
  database = await testEngines()[0]!.open();
});
afterEach(() => database.close());

const paypal = { PAYPAL_CLIENT_ID: "id", PAYPAL_CLIENT_SECRET: "secret", PAYPAL_WEBHOOK_ID: "WH1" };
const postgres = { DATABASE_URL: "postgresql://127.0.0.1/portal", SECRETS_KEY: "k".repeat(32) };

async function open(environment: Record<string, string>) {
  const origin = () => "http://127.0.0.1:3000";
  const ownTargets: Parameters<typeof openPayments>[0]["ownTargets"] = [];
  const payments = await openPayments({
    configuration: parseConfiguration(environment),
    database,
    log: pino({ level: "silent" }),
    ownTargets,
    portalOrigin: origin,
    ownAddress: origin,
  });
  return { payments, ownTargets };
}

test("the embedded default sells in a sandbox that is labelled on its page and unreachable for tests", async () => {
  const { payments, ownTargets } = await open({});
  expect(sandboxPath).toContain("sandbox");
  const page = await payments!.sandbox!.request("/webapps/billing/subscriptions?ba_token=none");
  expect(await page.text()).toContain("This page stands in for PayPal. No money moves");
  expect(ownTargets).toHaveLength(1);
  await payments!.close();
});

test("the sandbox is off once PayPal is configured, and nothing is sold on PostgreSQL without it", async () => {
  for (const environment of [paypal, { ...paypal, ...postgres, PUBLIC_URL: "https://portal.example.com" }]) {
    const { payments, ownTargets } = await open(environment);
    expect([payments!.sandbox, ownTargets]).toEqual([undefined, []]);
    await payments!.close();
  }
  expect((await open({ ...postgres, PUBLIC_URL: "https://portal.example.com" })).payments).toBeUndefined();
});
