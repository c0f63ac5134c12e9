import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo, requireValue } from "../../services/kit/client/client.ts";
import { type MailServer, startMailServer } from "../../services/kit/testing/mail-server.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";
import { ask } from "../support/raw-request.ts";

const publicOrigin = "https://portal.example.com";
const password = "wooden spoon in the garden";

let mailServer: MailServer;
let portal: PortalProcess;
let origin: string;
/** Of the account that the first test registers. */
let mailed: { token: string; code: string; password: string };

beforeAll(async () => {
  mailServer = await startMailServer();
  portal = await startPortalProcess({
    environment: {
      LOG_LEVEL: "trace",
      PUBLIC_URL: publicOrigin,
      MAIL_URL: mailServer.url,
      MAIL_FROM: "API Assurance <portal@example.com>",
      CONTACT_ADDRESS: "help@example.com",
    },
  });
  origin = /listening on (http:[^)]+)/.exec(portal.output())![1]!;
});
afterAll(async () => {
  await portal.stop();
  await mailServer.stop();
});

const securityService = () => connectTo(securityServiceContract, { baseUrl: `${origin}/api/security-service` })();

/** A form of a page, sent as its browser would, from the address that the headers claim. */
const sendForm = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  ask(origin, path, {
    method: "POST",
    headers: {
      host: "portal.example.com",
      origin: publicOrigin,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    body: new URLSearchParams(form).toString(),
  });

test("registering by SMTP: the link and the code arrive by email, and create an account that signs in", async () => {
  const email = "ana@example.org";
  const requested = await securityService().createRegistrationRequest({
    body: { email, organizationName: "Bookshop" },
  });
  expect(requested).toMatchObject({ ok: true, status: 202 });
  const message = await mailServer.newest(email, /registration/i);
  expect(message).toMatchObject({
    from: { name: "API Assurance", address: "portal@example.com" },
    recipients: [email],
  });
  const link = /https:\S+/.exec(message.text ?? "")![0];
  expect(link).toMatch(/^https:\/\/portal\.example\.com\/complete-organization-account-registration\?token=/);
  expect(message.html).toContain(link);

  const token = new URL(link).searchParams.get("token")!;
  requireValue(await securityService().sendRegistrationCode({ body: { token } }), "asking for the code");
  const code = /\b\d{6}\b/.exec((await mailServer.newest(email, /code/i)).text ?? "")![0];
  const account = { token, code, fullName: "Ana Silva", username: "ana.silva", password };
  expect(await securityService().createAccount({ body: account })).toMatchObject({ ok: true, status: 201 });

  for (const name of ["ana.silva", email]) {
    const headers = { username: encodeURIComponent(name), password: encodeURIComponent(password) };
    expect(await securityService().login({ headers })).toMatchObject({ ok: true, value: { roles: ["ADMIN"] } });
  }
  mailed = { token, code, password };
});

test("L03: mailed and chosen secrets are in no line of the log, with all lines enabled", async () => {
  const form = { token: mailed.token, code: mailed.code, fullName: "Ana", username: "ana.again", password };
  const page = `/complete-organization-account-registration?token=${mailed.token}`;
  expect((await sendForm(page, { intent: "createAccount", ...form })).status).toBe(303);
  expect((await ask(origin, page, { headers: { host: "portal.example.com" } })).status).toBe(404);
  expect(portal.output()).toContain("registered");
  for (const secret of [mailed.token, password]) expect(portal.output()).not.toContain(secret);
  // Not as part of a longer number, such as a time.
  expect(portal.output()).not.toMatch(new RegExp(`(?<!\\d)${mailed.code}(?!\\d)`));
});

test("L01: no mailed or chosen secret is readable in the files of the database", () => {
  const { token, password } = mailed;
  const folder = join(portal.dataDirectory, "database");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(100);
  let names = 0;
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name));
    if (bytes.includes("ana.silva")) names += 1;
    for (const secret of [token, password]) expect(bytes.includes(secret), file.name).toBe(false);
  }
  expect(names, "files that hold the new account").toBeGreaterThan(0);
});

test("W02: links in mail lead to the configured address, whatever host a request claims", async () => {
  const email = "bo@example.org";
  const response = await sendForm(
    "/password-reset",
    { email: "nobody@example.org" },
    { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
  );
  expect(response.status).toBeLessThan(400);
  await sendForm(
    "/create-account-individual",
    { email },
    { "x-forwarded-host": "evil.example", "x-original-url": "//evil" },
  );
  const message = await mailServer.newest(email);
  expect(message.raw).not.toContain("evil");
  expect(message.text).toContain(`${publicOrigin}/complete-individual-account-registration?token=`);
  expect(mailServer.received.filter(({ recipients }) => recipients.includes("nobody@example.org"))).toEqual([]);
});

test("a message to the operators goes to the configured address and can be replied to", async () => {
  const sent = await sendForm("/contact", {
    name: "Ana Silva",
    email: "ana@example.org",
    subject: "A question about plans",
    message: "How many APIs has the Team plan?\nThank you.",
  });
  expect(sent.status).toBeLessThan(400);
  const email = await mailServer.newest("help@example.com");
  expect(email).toMatchObject({ replyTo: [{ name: "Ana Silva", address: "ana@example.org" }] });
  expect(email.text).toContain("How many APIs has the Team plan?");
});

test("with a mail server there is no local mailbox to read", async () => {
  expect(await ask(origin, "/sandbox/mail", { headers: { host: "portal.example.com" } })).toMatchObject({
    status: 404,
  });
});

test("a local mailbox is open to this machine, and closed to requests through a proxy", async () => {
  const local = await startPortalProcess();
  const look = async (headers = {}) => (await ask(local.origin, "/sandbox/mail", { headers })).status;
  expect(await look()).toBe(200);
  for (const added of ["forwarded", "via", "x-forwarded-for", "x-forwarded-port", "x-real-ip", "cf-connecting-ip"])
    expect(await look({ [added]: "203.0.113.5" }), added).toBe(303);
  await local.stop();
});
