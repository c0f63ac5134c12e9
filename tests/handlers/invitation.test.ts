import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { completeAccount, mailedLink, newcomer } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

async function invite(email: string) {
  const body = { emails: [email], roles: ["EDITOR" as const] };
  const { items } = requireValue(await portal.backend.securityService.invite({ body }), "inviting");
  return { invitationId: items[0]!.id, link: await mailedLink(portal, email, /invit/i) };
}

test("an invitation is accepted without script, and is invalid afterwards", async () => {
  const person = newcomer();
  const { link } = await invite(person.email);
  const invitation = await portal.visit().open(link);
  expect(invitation.heading).toBe("You are invited");
  const login = await completeAccount(invitation, portal, person);
  expect(login.address).toBe(`/login?registered=${person.username}`);
  const dead = await portal.visit().open(link);
  expect(dead.status).toBe(404);
  expect(dead.text).toContain("ask the person who invited you for a new invitation");
});

test("a cancelled invitation leads to the next step", async () => {
  const { invitationId, link } = await invite(newcomer().email);
  const { securityService } = portal.backend;
  requireValue(await securityService.cancelInvitation({ params: { invitationId } }), "cancelling");
  const dead = await portal.visit().open(link);
  expect(dead.status).toBe(404);
  const next = await dead.follow("register an account of your own");
  expect(next.address).toBe("/registration-type-selection");
});

test("without an invitation the page names the two ways in", async () => {
  const page = await portal.visit().open("/register");
  expect(page.text).toContain("Check your email");
  expect((await page.follow("Register your own account")).address).toBe("/registration-type-selection");
});
