import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAnswer } from "../../services/kit/client/client.ts";
import type { AlertChannelInput } from "../../services/test-analyzer/contract/alert-channels.ts";
import { mailedLink } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

const createChannel = async (body: AlertChannelInput) =>
  requireAnswer(await portal.backend.testAnalyzer.createChannel({ body }), "creating the channel");
const mailChannel = (name: string, address: string) =>
  createChannel({ kind: "mail", name, enabled: true, memberIds: [], addresses: [address] });
const confirmationLink = (address: string) => mailedLink(portal, address, /Do you want alerts/);

test("a mailed link asks before it confirms an address, needs no account, and says that it did", async () => {
  const { id } = await mailChannel("Confirmed", "ops@example.org");
  const link = await confirmationLink("ops@example.org");
  const visitor = portal.visit();
  const asking = await visitor.open(link);
  expect(asking.heading).toBe("Do you want alerts at this address?");
  expect(asking.text).toContain("ops@example.org");
  const unconfirmed = { addresses: [{ address: "ops@example.org", confirmedAt: null }] };
  const params = { channelId: id };
  expect(requireAnswer(await portal.backend.testAnalyzer.getChannel({ params }), "channel")).toMatchObject(unconfirmed);

  const confirmed = await asking.submit("Yes, send alerts here");
  expect(confirmed.heading).toBe("This address gets alerts");
  expect(requireAnswer(await portal.backend.testAnalyzer.getChannel({ params }), "channel")).toMatchObject({
    addresses: [{ confirmedAt: expect.any(String) }],
  });
  expect((await visitor.open(link)).heading).toBe("This address gets alerts");
});

test("a link to confirm tells nobody else of its token", async () => {
  await mailChannel("Discreet", "discreet@example.org");
  const link = await confirmationLink("discreet@example.org");
  const token = new URL(link).searchParams.get("token")!;
  const page = await portal.visit().open(link);
  expect(page.headers.get("referrer-policy")).toBe("strict-origin");
  expect(page.html.match(/<title>(.*?)<\/title>/)?.[1]).not.toContain(token);
  const links = [...page.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
  expect(links.filter((address) => address.includes(token))).toEqual([]);
});

test("a link that was replaced, mistyped or lost says how to get another", async () => {
  const { id } = await mailChannel("Taken out", "gone@example.org");
  const link = await confirmationLink("gone@example.org");
  const asking = await portal.visit().open(link);
  requireAnswer(await portal.backend.testAnalyzer.deleteChannel({ params: { channelId: id } }), "deleting");
  for (const page of [
    await asking.submit("Yes, send alerts here"),
    await portal.visit().open(link),
    await portal.visit().open("/confirm-alert-address"),
    await portal.visit().open(`/confirm-alert-address?token=${"x".repeat(300)}`),
  ]) {
    expect([page.status, page.heading]).toEqual([404, "This link does not work any more"]);
    expect(page.text).toContain("have another link sent");
  }
});
