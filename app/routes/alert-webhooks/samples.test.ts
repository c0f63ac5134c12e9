import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { curlSample, nodeSample, toleratedSeconds } from "./samples";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({ type: "test", data: { title: "It's a test" } });

function getHeaders(sentAt: Date, secrets = [secret]) {
  return {
    "webhook-id": "msg-1",
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
    "webhook-signature": secrets.map((one) => new Webhook(one).sign("msg-1", sentAt, body)).join(" "),
  };
}

test("the Node sample accepts a published library's signature with either of two secrets, and nothing else", async () => {
  const { isOurs } = (await import(`data:text/javascript,${encodeURIComponent(nodeSample)}`)) as {
    isOurs(secret: string, headers: object, body: string): boolean;
  };
  const now = new Date();
  const other = `whsec_${randomBytes(32).toString("base64")}`;
  expect(isOurs(secret, getHeaders(now), body)).toBe(true);
  expect(isOurs(secret, getHeaders(now, [other, secret]), body)).toBe(true);
  expect(isOurs(other, getHeaders(now), body)).toBe(false);
  expect(isOurs(secret, getHeaders(now), `${body} `)).toBe(false);
  expect(isOurs(secret, getHeaders(new Date(now.getTime() - toleratedSeconds * 1_000 - 1_000)), body)).toBe(false);
  expect(isOurs(secret, { ...getHeaders(now), "webhook-timestamp": "x" }, body)).toBe(false);
});

test("the curl sample sends a request that a published library accepts, whatever quotes its body has", () => {
  const code = curlSample(body).replace(/secret='[^']*'/, `secret='${secret}'`);
  const words = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${code}`], { encoding: "utf8" }).split(
    "\0",
  );
  const sent = words[words.indexOf("--data-raw") + 1]!;
  const headers = Object.fromEntries(
    words.filter((_, at) => words[at - 1] === "--header").map((header) => header.split(": ") as [string, string]),
  );
  expect(sent).toBe(body);
  expect(new Webhook(secret).verify(sent, headers)).toMatchObject({ type: "test" });
});
