import { afterAll, beforeAll, expect, test } from "vitest";
import { type HandledPortal, openHandledPortal } from "../support/handled-portal.ts";

let portal: HandledPortal;
beforeAll(async () => {
  portal = await openHandledPortal();
});
afterAll(() => portal.stop());

const message = { name: "Ada Lovelace", subject: "Plans", message: "Which plan fits\ntwo teams?" };

test("a message without a valid reply address comes back with the whole input", async () => {
  const form = await portal.visit().open("/contact?subject=Plans");
  expect(form.value("subject")).toBe("Plans");
  const refused = await form.submit("Send message", { ...message, email: "ada@nowhere" });
  expect(refused.status).toBe(422);
  expect(refused.errors("email")).toContain("Enter an email address");
  expect(refused.value("message")).toBe(message.message);
  expect(refused.value("name")).toBe(message.name);
  const sent = await refused.submit("Send message", { email: "ada@example.com" });
  expect(sent.heading).toBe("Your message was sent");
  const email = await portal.mail.newest("portal@example.com", /Plans/);
  expect(email.text).toContain("Which plan fits");
});

test("the page is prefilled with the signed-in user and the subject", async () => {
  const form = await (await portal.signIn()).open("/contact?subject=A%20limit");
  expect([form.value("name"), form.value("subject")]).toEqual(["Administrator", "A limit"]);
});
