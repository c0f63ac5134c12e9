import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfiguration } from "./configuration.ts";
import { describeVariables } from "./variable.ts";
import { variables } from "./variables.ts";

test("without any variable the embedded default is complete", () => {
  expect(parseConfiguration({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    dataDirectory: "data",
    databaseUrl: undefined,
    run: ["portal", "worker", "scheduler"],
    administrator: { username: "admin", password: undefined, email: undefined },
  });
});

test("an empty variable counts as unset", () => {
  expect(parseConfiguration({ PORT: "", PUBLIC_URL: "" })).toMatchObject({ port: 3000, publicUrl: undefined });
});

test.each([
  ["PORT", "http", "PORT needs a port number from 0 to 65535"],
  ["PORT", "70000", "PORT needs a port number from 0 to 65535"],
  ["PUBLIC_URL", "portal.example.com", "PUBLIC_URL needs an address that starts with http:// or https://"],
  ["DATABASE_URL", "mysql://x", "DATABASE_URL needs a PostgreSQL address"],
  ["RUN", "portal,cook", "RUN needs a list of portal, worker and scheduler"],
  ["ADMIN_PASSWORD", "short", "ADMIN_PASSWORD needs at least 8 characters"],
  ["ADMIN_EMAIL", "ana", "ADMIN_EMAIL needs an email address, e.g. ana@example.com"],
  ["SECRETS_KEY", "short", "SECRETS_KEY needs at least 32 random characters"],
  ["TRUSTED_PROXIES", "proxy", "TRUSTED_PROXIES needs IP addresses or CIDR ranges"],
  ["TRUSTED_PROXIES", "10.0.0.0/33", "TRUSTED_PROXIES needs IP addresses or CIDR ranges"],
  ["TRUSTED_PROXIES", "::::", "TRUSTED_PROXIES needs IP addresses or CIDR ranges"],
  ["PUBLIC_URL", "https://example.com/portal", "PUBLIC_URL needs an address without path"],
  ["ADMIN_USERNAME", " \u0007 ", "ADMIN_USERNAME needs a name of printable characters"],
  ["EGRESS_ALLOW", "10.0.0.1", 'EGRESS_ALLOW has "10.0.0.1"; each entry is host:port'],
  ["LOG_LEVEL", "loud", "LOG_LEVEL needs one of"],
  ["API_REGISTRY_URL", "registry:80", "API_REGISTRY_URL needs an address that starts with http:// or https://"],
  ["MAIL_URL", "mail.example.com:587", "MAIL_URL needs a mail server's address, e.g. smtp://"],
  ["MAIL_URL", "https://mail.example.com", "MAIL_URL needs a mail server's address, e.g. smtp://"],
  ["MAIL_FROM", "API Assurance", "MAIL_FROM needs a sender, e.g. API Assurance <portal@example.com>"],
  ["MAIL_FROM", "a@example.com, b@example.com", "MAIL_FROM needs a sender"],
  ["MAIL_FROM", "Portal\r\nBcc: <a@example.com>", "MAIL_FROM needs a sender"],
  ["CONTACT_ADDRESS", "contact", "CONTACT_ADDRESS needs an email address"],
  ["RECAPTCHA_VERIFY_URL", "siteverify", "RECAPTCHA_VERIFY_URL needs an address that starts with http:// or https://"],
  [
    "RECAPTCHA_SCRIPT_URL",
    "javascript:1",
    "RECAPTCHA_SCRIPT_URL needs an address that starts with http:// or https://",
  ],
])("%s=%s is refused with the expected form", (name, value, message) => {
  expect(() => parseConfiguration({ [name]: value })).toThrow(message);
});

test("all invalid variables are reported at once", () => {
  expect(() => parseConfiguration({ PORT: "x", LOG_LEVEL: "loud" })).toThrow(/PORT needs[\s\S]*LOG_LEVEL needs/);
});

test("PostgreSQL without a shared SECRETS_KEY is refused, since another process could not read the secrets", () => {
  expect(() => parseConfiguration({ DATABASE_URL: "postgresql://localhost/x" })).toThrow("SECRETS_KEY is needed");
});

test("the embedded database can't be shared by several processes", () => {
  expect(() => parseConfiguration({ RUN: "portal" })).toThrow("RUN needs all of portal, worker and scheduler");
});

test("mail goes to the configured server, from the configured sender; a server without a sender is refused", () => {
  const MAIL_URL = "smtp://user:p%40ss@mail.example.com:587";
  const MAIL_FROM = "API Assurance <portal@example.com>";
  expect(parseConfiguration({ MAIL_URL, MAIL_FROM }).smtp).toEqual({ url: MAIL_URL, from: MAIL_FROM });
  expect(() => parseConfiguration({ MAIL_URL })).toThrow("MAIL_URL needs MAIL_FROM");
  expect(parseConfiguration({ MAIL_FROM }).smtp).toBeUndefined();
  expect(parseConfiguration({}).smtp).toBeUndefined();
});

test.each([
  [{}, "contact@api-assurance.example"],
  [{ MAIL_FROM: "portal@example.com" }, "portal@example.com"],
  [{ MAIL_FROM: "API Assurance <portal@example.com>" }, "portal@example.com"],
  [{ MAIL_FROM: "<portal@example.com>" }, "portal@example.com"],
  [{ MAIL_FROM: "API Assurance <portal@example.com>", CONTACT_ADDRESS: "help@example.com" }, "help@example.com"],
])("with %j visitors write to %s", (variables, address) => {
  expect(parseConfiguration(variables).contactAddress).toBe(address);
});

test("an external bot check needs both of its keys", () => {
  const both = { RECAPTCHA_SITE_KEY: "site", RECAPTCHA_SECRET: "secret" };
  expect(parseConfiguration(both).humanCheckProvider).toEqual({
    siteKey: "site",
    secret: "secret",
    verifyUrl: "https://www.google.com/recaptcha/api/siteverify",
    scriptUrl: "https://www.google.com/recaptcha/api.js",
  });
  expect(
    parseConfiguration({ ...both, RECAPTCHA_VERIFY_URL: "https://hcaptcha.example/siteverify/" }).humanCheckProvider,
  ).toMatchObject({ verifyUrl: "https://hcaptcha.example/siteverify" });
  for (const [name, value] of Object.entries(both)) {
    expect(() => parseConfiguration({ [name]: value })).toThrow("are needed together");
  }
  expect(parseConfiguration({}).humanCheckProvider).toBeUndefined();
});

test("previous keys are read one by one, and a key with commas counts as one too", () => {
  const [one, other] = ["o".repeat(32), "p".repeat(32)];
  const toKeys = (text: string) => parseConfiguration({ SECRETS_KEY_PREVIOUS: text }).previousSecretsKeys;
  expect(toKeys("")).toEqual([]);
  expect(toKeys(one)).toEqual([one]);
  expect(toKeys(`${one}, ${other}`)).toEqual([`${one}, ${other}`, one, other]);
  expect(() => toKeys("short")).toThrow("SECRETS_KEY_PREVIOUS needs keys of at least 32 characters");
});

test("the reference lists exactly these variables, as declared", () => {
  const readme = readFileSync(new URL("../docs/reference/configuration.md", import.meta.url), "utf8");
  expect(/^\| variable [\s\S]*?\n(?=\n)/m.exec(readme)?.[0]).toBe(describeVariables(variables));
});
