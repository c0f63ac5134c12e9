import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { FormPage } from "../support/form-page.ts";
import { completeAccount, mailedLink, newcomer, newPassword } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { openPayPalSandbox } from "../support/paypal-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let portal: HandledPortal;
/** Of two organizations. */
let own: Visitor;
let other: Visitor;
let otherPerson: { username: string; password: string };

beforeAll(async () => {
  sandbox = await openPayPalSandbox();
  portal = await openHandledPortal(sandbox.environment);
  own = await portal.signIn("/billing");
  other = portal.visit();
  const person = newcomer();
  const form = await other.open("/create-account-organization");
  await form.submit("Email me a link", { email: person.email, organizationName: "Bookshop" });
  const completing = await other.open(await mailedLink(portal, person.email, /registration/i));
  const login = await completeAccount(completing, portal, person);
  await login.submit("log in", { password: newPassword });
  otherPerson = { username: person.username, password: newPassword };
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});
afterEach(async () => {
  sandbox.clearFaults();
  for (const visitor of [own, other]) await giveUp(visitor);
});

async function subscribe(visitor: Visitor): Promise<{ page: FormPage; approve: string; id: string; atPayPal: string }> {
  const page = await (await visitor.open("/billing")).submit("Subscribe to Team");
  const id = page.url.pathname.split("/").at(-1)!;
  const made = (await sandbox.subscriptions()).find(({ custom_id }) => custom_id === id)!;
  return { page, id, atPayPal: made.id, approve: page.link("Approve at PayPal") };
}

/** Cancels every pending or active subscription. */
async function giveUp(visitor: Visitor): Promise<void> {
  const billing = await visitor.open("/billing");
  if (!billing.html.includes("Your subscription")) return;
  const page = await billing.follow("Your subscription");
  await (await visitor.open(`${page.url.pathname}?dialog=cancel`)).submit("Cancel the subscription");
}

const returnPath = "/subscriptions/paypal/return";
const refusal = "This approval does not belong to any subscription of your organization. Nothing was changed.";

/** Its status, from the newest line of its history. */
const stands = async (visitor: Visitor, { page }: { page: FormPage }) => {
  const [, newest = ""] = (await visitor.open(page.address)).rows("");
  return ["Waiting for approval", "Active", "Cancelled"].find((state) => newest.includes(state));
};

const paid = async (visitor: Visitor) => (await visitor.open("/billing")).rows("Paid").length;

test("P01: a return that is forged in any of these ways activates nothing", async () => {
  const mine = await subscribe(own);
  const theirs = await subscribe(other);
  const genuine = await sandbox.decide(theirs.approve, "approve");
  const theirToken = genuine.searchParams.get("ba_token")!;
  const theirSecond = genuine.searchParams.get("token")!;
  const ownToken = new URL(mine.approve).searchParams.get("ba_token")!;
  const forged: Record<string, string> = {
    "another organization's, as it is": genuine.search,
    "another organization's id alone": `?subscription_id=${theirs.atPayPal}`,
    "another organization's tokens alone": `?ba_token=${theirToken}&token=${theirSecond}`,
    "another organization's id with one's own token": `?subscription_id=${theirs.atPayPal}&ba_token=${ownToken}`,
    "one's own id with another organization's token": `?subscription_id=${mine.atPayPal}&ba_token=${theirToken}`,
    "one's own id with a made-up token": `?subscription_id=${mine.atPayPal}&ba_token=BA-00000000000000000`,
    "an id that was made up": "?subscription_id=I-AAAAAAAAAAAA&ba_token=BA-AAAAAAAAAAAAAAAAA&token=AAAA",
    "our own id in place of PayPal's": `?subscription_id=${mine.id}`,
    "an id that leads elsewhere": "?subscription_id=../plans/P-1&ba_token=x",
    "an id that adds to the question": `?subscription_id=${mine.atPayPal}%3Ffields%3Dplan%26status%3DACTIVE`,
    "an id with SQL": `?subscription_id=${encodeURIComponent("' or state = 'ACTIVE' --")}`,
    "an id with a line break and a zero byte": "?subscription_id=I-1%0d%0aX:%20y%00",
    "an id of 100,000 characters": `?subscription_id=I-${"A".repeat(100_000)}`,
    "a token of 100,000 characters": `?ba_token=BA-${"A".repeat(100_000)}`,
    "an empty id with a made-up token": "?subscription_id=&ba_token=BA-1",
  };
  for (const [how, search] of Object.entries(forged)) {
    const landed = await own.open(`${returnPath}${search}`);
    expect([landed.status, landed.address, landed.text.includes(refusal)], how).toEqual([200, "/billing", true]);
  }
  // Without a known approval the address leads to billing without a message.
  for (const search of ["", "?token=x", "?cancelled=true", "?hint=made-up", "?hint=", "?subscription_id=&ba_token="])
    expect((await own.open(`${returnPath}${search}`)).address, search).toBe("/billing");
  // The user's own, twice in one address: the first counts, and PayPal reports that it was not approved.
  const twice = await own.open(`${returnPath}?subscription_id=${mine.atPayPal}&subscription_id=${theirs.atPayPal}`);
  expect(twice.address).toBe(mine.page.address);
  expect(await stands(own, mine)).toBe("Waiting for approval");
  expect(await paid(own)).toBe(0);

  // Another user's session with this user's approval: neither subscription changes.
  expect((await other.open(`${returnPath}?subscription_id=${mine.atPayPal}&ba_token=${ownToken}`)).text).toContain(
    refusal,
  );
  expect(await stands(own, mine)).toBe("Waiting for approval");
  // Approved all the while: the owner's return activates it.
  expect((await other.open(genuine.href)).text).toContain("Team is active.");
});

test("P01: signed out, another account signs in: the page says that the approval is not its own", async () => {
  const mine = await subscribe(own);
  const back = await sandbox.decide(mine.approve, "approve");
  const paidBefore = await paid(other);
  const stranger = portal.visit();
  const login = await stranger.open(back.href);
  const landed = await login.submit("log in", otherPerson);
  expect(landed.address).toBe("/billing");
  expect(landed.text).toContain(refusal);
  expect(await paid(other)).toBe(paidBefore);
  // The sealed hint reveals no more than the address did.
  const hint = decodeURIComponent(/redirectTo=([^&]+)/.exec(login.address)![1]!);
  expect((await other.open(hint)).text).toContain(refusal);
  const altered = hint.replace(/hint=(.)/, (_, first) => `hint=${first === "A" ? "B" : "A"}`);
  expect((await own.open(altered)).text).not.toContain("Team is active.");
  expect((await own.open(hint)).text).toContain("Team is active.");
});

test("P01, P10: a subscription that PayPal reports with other terms is not active, whatever comes back", async () => {
  for (const change of ["plan", "customId"] as const) {
    const before = await paid(own);
    const mine = await subscribe(own);
    // Before it is approved: every later request to PayPal, also an automatic one, finds the change.
    if (change === "customId") await sandbox.tamper(mine.atPayPal, { custom_id: "another's" });
    else {
      // A cheaper plan of the same merchant.
      const [known] = await sandbox.subscriptions();
      await sandbox.tamper(mine.atPayPal, { plan_id: await sandbox.copyPlan(known!.plan_id) });
    }
    const back = await sandbox.decide(mine.approve, "approve");
    for (let times = 0; times < 3; times += 1) {
      const landed = await own.open(back.href);
      expect([change, landed.address]).toEqual([change, mine.page.address]);
      expect(landed.text, change).not.toContain("is active");
    }
    expect(await stands(own, mine), change).toBe("Waiting for approval");
    expect(await paid(own), change).toBe(before);
    await giveUp(own);
  }
});

test("P01: a return is valid however often it is loaded, also twenty times at once, and restores nothing after a cancellation", async () => {
  const before = await paid(own);
  const mine = await subscribe(own);
  const back = await sandbox.decide(mine.approve, "approve");
  const twenty = await Promise.all(Array.from({ length: 20 }, () => own.copied().open(back.href)));
  expect(new Set(twenty.map(({ address }) => address))).toEqual(new Set([mine.page.address]));
  for (const { text } of twenty) expect(text).toContain("Team is active.");
  const page = await own.open(mine.page.address);
  expect(page.rows("Approved at PayPal.")).toHaveLength(1);
  expect(await paid(own)).toBe(before + 1);

  await giveUp(own);
  const replayed = await own.open(back.href);
  expect(replayed.address).toBe(mine.page.address);
  expect(replayed.text).toContain("Team is not active.");
  expect(await stands(own, mine)).toBe("Cancelled");
  expect(replayed.rows("Cancelled by a member.")).toHaveLength(1);
  // Nor does it start the next one.
  const next = await subscribe(own);
  expect((await own.open(back.href)).address).toBe(mine.page.address);
  expect(await stands(own, next)).toBe("Waiting for approval");
});
