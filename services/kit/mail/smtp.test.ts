import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../testing/mail-server.ts";
import { type Email, renderEmail } from "./email.ts";
import { createSmtpDelivery, type Delivery, RefusedForGood } from "./smtp.ts";

const from = "API Assurance <portal@example.com>";
const email: Email = {
  to: { name: "Änne Müller", address: "anne@example.org" },
  subject: "Ihr Zugang: schöne Grüße",
  blocks: [
    { kind: "paragraph", text: "Hello <b>Änne</b>,\nwelcome." },
    { kind: "button", name: "Set up", href: "https://portal.example.com/register?token=a&b=c" },
    { kind: "code", code: "012345" },
  ],
};

let mailServer: MailServer;
let delivery: Delivery;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  mailServer = await startMailServer();
  delivery = createSmtpDelivery({ url: mailServer.url, from });
});
afterEach(async () => {
  await delivery.close();
  await mailServer.stop();
  for (const close of closing.splice(0)) await close();
});

/** A delivery to a server that refuses in a configured way. */
async function deliverTo(options: SMTPServerOptions, user = ""): Promise<Error> {
  const server = new SMTPServer({ authOptional: !user, disabledCommands: ["STARTTLS"], logger: false, ...options });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const one = createSmtpDelivery({ url: `smtp://${user}127.0.0.1:${port}`, from });
  closing.push(
    () => one.close(),
    () => new Promise((resolve) => server.close(() => resolve(undefined))),
  );
  return await one.deliver("1", renderEmail(email)).then(
    () => new Error("it was delivered"),
    (error: Error) => error,
  );
}
const refusal = (responseCode: number, message = `5.1.1 <anne@example.org>: no such user`) =>
  Object.assign(new Error(message), { responseCode });

test("an email arrives with a text and an HTML part, sender, recipient and subject", async () => {
  await delivery.deliver("0190-one", renderEmail(email));
  const mail = await mailServer.newest("anne@example.org");
  expect(mail).toMatchObject({
    from: { name: "API Assurance", address: "portal@example.com" },
    to: [{ name: "Änne Müller", address: "anne@example.org" }],
    subject: "Ihr Zugang: schöne Grüße",
    messageId: "<0190-one@example.com>",
    recipients: ["anne@example.org"],
  });
  expect(mail.text).toContain("Hello <b>Änne</b>,\nwelcome.");
  expect(mail.text).toContain("Set up:\nhttps://portal.example.com/register?token=a&b=c");
  expect(mail.text).toContain("012345");
  expect(mail.html).toContain("Hello &lt;b&gt;Änne&lt;/b&gt;,<br>welcome.");
  expect(mail.html).toContain('href="https://portal.example.com/register?token=a&amp;b=c"');
  expect(mail.attachments).toEqual([]);
  // RFC 3834: suppresses out-of-office replies.
  expect(mail.raw).toMatch(/^auto-submitted: auto-generated\r$/im);
});

test("a reply goes to the email's reply address, and the sender remains the portal's", async () => {
  await delivery.deliver("1", renderEmail({ ...email, replyTo: { name: "Visitor", address: "visitor@example.net" } }));
  expect(await mailServer.newest("anne@example.org")).toMatchObject({
    from: { address: "portal@example.com" },
    replyTo: [{ name: "Visitor", address: "visitor@example.net" }],
  });
});

const injections = [
  "\r\nBcc: evil@example.net\r\n",
  "\nTo: evil@example.net",
  "\rCc: evil@example.net",
  "\u2028Bcc: evil@example.net",
  '", <evil@example.net>, "',
  "evil@example.net, ",
  "=?utf-8?q?x?= <evil@example.net>",
  "\r\n\r\n<h1>another body</h1>",
];

test.each(injections)("T06: %j in names and subject adds no recipient and no header", async (text) => {
  await delivery.deliver("1", renderEmail(email));
  const names = (raw: string) => raw.split("\r\n\r\n")[0]?.match(/^[^\s:]+(?=:)/gm);
  const plain = (await mailServer.newest("anne@example.org")).raw;
  await delivery.deliver(
    "2",
    renderEmail({
      ...email,
      to: { name: `Anne${text}x`, address: "bob@example.org" },
      replyTo: { name: `Visitor${text}x`, address: "visitor@example.net" },
      subject: `Welcome${text}x`,
    }),
  );
  const mail = await mailServer.newest("bob@example.org");
  expect(mail.recipients).toEqual(["bob@example.org"]);
  expect(mail.to).toHaveLength(1);
  expect(mail.to?.[0]?.address).toBe("bob@example.org");
  expect(mail.replyTo).toHaveLength(1);
  expect(mail.replyTo?.[0]?.address).toBe("visitor@example.net");
  expect(mail.cc ?? []).toEqual([]);
  expect(mail.bcc ?? []).toEqual([]);
  expect(names(mail.raw)?.filter((name) => name !== "Reply-To")).toEqual(names(plain));
  expect(mail.text?.startsWith("Hello")).toBe(true);
});

test.each([
  "bob@example.org\r\nRCPT TO:<evil@example.net>",
  "bob@example.org, evil@example.net",
  "bob@example.org> <evil@example.net",
  '"evil@example.net x"@example.org',
  "",
])("T06: %j is not an address of one mailbox, so nothing is sent to it", async (address) => {
  for (const hostile of [{ to: { address } }, { replyTo: { address } }]) {
    await expect(delivery.deliver("1", renderEmail({ ...email, ...hostile }))).rejects.toBeInstanceOf(RefusedForGood);
  }
  expect(mailServer.received).toEqual([]);
});

test("a missing mailbox is refused for good, and the stored message contains no address", async () => {
  mailServer.refused.add("anne@example.org");
  await expect(delivery.deliver("1", renderEmail(email))).rejects.toBeInstanceOf(RefusedForGood);
  const error = await deliverTo({ onRcptTo: (_address, _session, callback) => callback(refusal(550)) });
  expect(error).toBeInstanceOf(RefusedForGood);
  expect(error.message).toContain("no such user");
  expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain("anne@");
});

test("an email refused for its content is refused for good", async () => {
  const error = await deliverTo({
    onData: (stream, _session, callback) => {
      stream.resume().on("end", () => callback(refusal(554, "looks like spam")));
    },
  });
  expect(error).toBeInstanceOf(RefusedForGood);
});

test.each<[string, SMTPServerOptions, string?]>([
  ["a full mailbox", { onRcptTo: (_address, _session, callback) => callback(refusal(452)) }],
  ["a sender that is refused", { onMailFrom: (_address, _session, callback) => callback(refusal(550)) }],
  [
    "a wrong password",
    { onAuth: (_auth, _session, callback) => callback(refusal(535)), allowInsecureAuth: true },
    "u:p@",
  ],
  ["a server that refuses connections", { onConnect: (_session, callback) => callback(refusal(554)) }],
])("%s is no reason to give an email up", async (_, options, user) => {
  const error = await deliverTo(options, user);
  expect(error.message).not.toBe("it was delivered");
  expect(error).not.toBeInstanceOf(RefusedForGood);
  expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain("anne@");
});

test("an unavailable server, or one that disconnects, is no reason to give an email up", async () => {
  await mailServer.stop();
  const unavailable = await delivery.deliver("1", renderEmail(email)).catch((error: Error) => error);
  expect(unavailable).toBeInstanceOf(Error);
  expect(unavailable).not.toBeInstanceOf(RefusedForGood);
  const server: Server = createServer((socket: Socket) => void socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const rude = createSmtpDelivery({ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, from });
  const cut = await rude.deliver("1", renderEmail(email)).catch((error: Error) => error);
  expect(cut).toBeInstanceOf(Error);
  expect(cut).not.toBeInstanceOf(RefusedForGood);
  await rude.close();
  server.close();
  mailServer = await startMailServer();
});
