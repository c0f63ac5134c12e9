import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { contactAddress, createPortalWorld, type PortalWorld } from "../testing/world.ts";

const message = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  subject: "A question about Team",
  message: "Does it run\non Sundays <b>too</b>?",
};

for (const engine of testEngines()) {
  let database: Database;
  let world: PortalWorld;

  beforeAll(async () => {
    database = await engine.open();
    world = await createPortalWorld(database);
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  /** A visitor's form as the portal forwards it. */
  async function send(visitor: string, body: Partial<typeof message> & { recaptchaToken?: string } = {}) {
    const portal = await world.serviceFor();
    return await portal.sendContactMessage({
      headers: { "x-client-address": visitor },
      body: { ...message, ...body },
    });
  }

  test(`${engine.name}: a message is mailed to the operators, who can reply to the visitor`, async () => {
    expect(await send("192.0.2.1")).toMatchObject({ status: 202, value: { email: "ada@example.com" } });
    const email = await world.mail.newest(contactAddress, /A question about Team/);
    expect(email.replyTo).toEqual({ name: "Ada Lovelace", address: "ada@example.com" });
    expect(email.subject).toBe("Contact: A question about Team");
    expect(email.text).toContain("> Does it run\n> on Sundays <b>too</b>?");
    expect(email.html).toContain("&lt;b&gt;too&lt;/b&gt;");
  });

  test(`${engine.name}: T06: no visitor input adds a header to the email`, async () => {
    const refused = await send("192.0.2.2", { subject: "Hello\r\nBcc: everyone@example.com" });
    expect(refused).toMatchObject({ status: 422, problem: { errors: [{ path: "subject" }] } });
    expect(await send("192.0.2.2", { name: "Ada\r\nBcc: x@example.com" })).toMatchObject({ status: 422 });
  });

  test(`${engine.name}: missing values are reported field by field`, async () => {
    const result = await send("192.0.2.3", { email: "nobody", message: " " });
    expect(result).toMatchObject({
      status: 422,
      problem: {
        errors: [
          { path: "email", message: "Enter an email address, e.g. name@example.com" },
          { path: "message", message: "Write your message" },
        ],
      },
    });
  });

  test(`${engine.name}: a failed bot check is passed on`, async () => {
    expect(await send("192.0.2.4", { recaptchaToken: "forged" })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: "recaptchaToken" }] },
    });
  });

  test(`${engine.name}: a visitor who writes without end has to wait, others do not`, async () => {
    let result = await send("198.51.100.7");
    for (let count = 0; result.ok && count < 50; count++) result = await send("198.51.100.7");
    expect(result).toMatchObject({ status: 429, problem: { code: "too_many_requests" } });
    expect(!result.ok && result.retryAfterSeconds).toBeGreaterThan(0);
    expect(await send("203.0.113.9")).toMatchObject({ ok: true });
  });

  test(`${engine.name}: A07: an address without a trusted sender does not count`, async () => {
    const stranger = world.connect();
    const write = (address: string) =>
      stranger.sendContactMessage({ headers: { "x-client-address": address }, body: message });
    let result = await write("203.0.113.100");
    for (let count = 0; result.ok && count < 50; count++) result = await write(`203.0.113.${count}`);
    expect(result).toMatchObject({ status: 429 });
  });

  test(`${engine.name}: without security-service every message is refused`, async () => {
    world.sendSecurityAway(true);
    try {
      expect(await send("192.0.2.5")).toMatchObject({ status: 503, problem: { code: "service_unavailable" } });
    } finally {
      world.sendSecurityAway(false);
    }
  });

  test(`${engine.name}: the visitor is informed when the installation can't send email`, async () => {
    const mute = await createPortalWorld(database, { delivery: undefined });
    try {
      const result = await (await mute.serviceFor()).sendContactMessage({
        headers: { "x-client-address": "192.0.2.6" },
        body: message,
      });
      expect(result).toMatchObject({ status: 503, problem: { detail: expect.stringContaining("can't send email") } });
    } finally {
      await mute.stop();
    }
  });
}
