import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinAs, mailedLink } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

const form = "/administration/user-management/invite";
const list = "/administration/user-management/invites/pending";
const nowhere = "01900000-0000-7000-8000-000000000000";

let portal: HandledPortal;
let visitor: Visitor;
let domain: string;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
afterAll(() => portal.stop());

/** Addresses at a domain of this test. */
function people(count: number): string[] {
  domain = `${randomUUID().slice(0, 8)}.example.com`;
  return Array.from({ length: count }, (_, number) => `person${number}@${domain}`);
}

async function invite(emails: string, roles = ["EDITOR"]) {
  return await (await visitor.open(form)).submit("Send invitations", { emails, roles });
}

test("ten people are invited at once, from a pasted list, and each gets a separate link", async () => {
  const ten = people(10);
  const pasted = `Ada <${ten[0]}>, "Doe, Jane" <${ten[1]}>;${ten.slice(2, 6).join("\r\n")}\n${ten.slice(6).join(" ")}`;
  const done = await invite(pasted);
  expect(done.address).toBe(list);
  expect(done.text).toContain("10 people are invited.");
  const found = await visitor.open(`${list}?query=${domain}`);
  expect(found.rows(domain)).toHaveLength(10);
  const links = await Promise.all(ten.map((email) => mailedLink(portal, email, /invit/i)));
  expect(new Set(links).size).toBe(10);
  expect(found.text).toMatch(/Invitations ?\d+ not answered/);
});

test("valid addresses are invited, and the others are returned with the reasons and as typed", async () => {
  const [good] = people(1);
  const result = await invite(`${good}\nnobody at home\nAda <ada@>; admin`, ["VIEWER", "EDITOR"]);
  expect(result.status).toBe(200);
  expect(result.text).toContain("1 person is invited");
  expect(result.value("emails")).toBe("nobody at home\nAda <ada@>\nadmin");
  expect(result.errors("emails")).toContain("3 addresses can't be invited");
  expect(result.rows("Ada <ada@>")[0]).toContain("Enter an email address, e.g. name@example.com");
  const corrected = await result.submit("Send invitations", { emails: `second@${domain}` });
  expect(corrected.text).toContain("1 person is invited.");
  expect((await visitor.open(`${list}?query=second ${domain}`)).rows(domain)[0]).toContain("Editor, Viewer");
});

test("a member and an empty list are reported as such, and the input is kept", async () => {
  const joined = people(1)[0]!;
  await joinAs(portal, "VIEWER", { email: joined, username: `ada-${randomUUID().slice(0, 8)}` });
  const result = await invite(joined.toUpperCase());
  expect(result.status).toBe(422);
  expect(result.rows(joined)[0]).toContain("This person is in your organization already.");
  const empty = await invite(" \n ", []);
  expect([empty.status, empty.errors("emails")]).toEqual([422, "Enter at least one email address"]);
  expect(empty.text).toContain("Choose at least one role");
});

test("a list of more than two hundred is returned as a whole", async () => {
  const typed = people(201).join("\n");
  const result = await invite(typed);
  expect(result.errors("emails")).toContain("Invite at most 200 at a time");
  expect(result.value("emails")).toBe(typed);
});

test("a second invitation sends a new link, and the page reports it", async () => {
  const [email = ""] = people(1);
  await invite(email);
  const first = await mailedLink(portal, email, /invit/i);
  expect((await invite(email)).text).toContain("1 of them had an open invitation; its link no longer works.");
  expect((await portal.visit().open(first)).status).toBe(404);
});

test("an invitation shows its history, is sent again, and cancelled after asking", async () => {
  const [email = ""] = people(1);
  await invite(email);
  await mailedLink(portal, email, /invit/i);
  const page = await (await visitor.open(`${list}?query=${email}`)).follow(email);
  expect(page.rows("Invited by")).toHaveLength(1);
  const again = await page.submit("Send again");
  expect(again.text).toContain("The invitation was sent again with a new link.");
  expect(again.rows("Sent again, with a new link by")).toHaveLength(1);
  const requested = await again.follow("Cancel invitation");
  expect(requested.text).toContain("Cancel this invitation?");
  const cancelled = await requested.submit("Cancel invitation");
  expect(cancelled.text).toContain("Its link no longer works.");
  const tooLate = await visitor.post(page.address, { intent: "resend" });
  expect(tooLate.text).toContain("This invitation is cancelled already.");
  const anew = await cancelled.follow("Invite again");
  expect(anew.value("emails")).toBe(email);
  expect((await visitor.open(`${list}?state=cancelled&query=${email}`)).rows(email)[0]).toContain("Cancelled");
});

test("an email that the mail server refuses is reported on its invitation, in the server's words", async () => {
  const [email = ""] = people(1);
  portal.mail.refused.add(email);
  await invite(email);
  const read = async () => (await visitor.open(`${list}?query=${email}`)).rows(email)[0] ?? "";
  await expect.poll(read).toContain("Email failed");
  const page = await (await visitor.open(`${list}?query=${email}`)).follow(email);
  expect(page.text).toContain("The mail server said:");
  expect(page.rows("Email not delivered")).toHaveLength(1);
  portal.mail.refused.delete(email);
  await page.submit("Send again");
  await mailedLink(portal, email, /invit/i);
});

test("only administrators reach the pages of inviting, and unknown invitations are answered 404", async () => {
  const editor = await joinAs(portal, "EDITOR");
  for (const address of [form, list, `${list.replace("pending", nowhere)}`]) {
    expect((await editor.open(address)).status).toBe(403);
  }
  expect((await editor.post(form, { emails: "a@example.com", roles: "ADMIN" })).status).toBe(403);
  expect((await editor.open("/administration")).text).not.toContain("Invitations");
  expect((await visitor.open(list.replace("pending", nowhere))).status).toBe(404);
  expect((await visitor.post(list.replace("pending", nowhere), { intent: "cancel" })).status).toBe(404);
});
