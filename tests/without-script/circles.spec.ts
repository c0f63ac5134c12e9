import type { Page } from "@playwright/test";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget } from "../../services/test-executioner/testing/target.ts";
import { follow, tabTo, tick, typeInto } from "../support/keyboard.ts";
import { type PortalBackend, registerApi, signInToBackend } from "../support/portal-backend.ts";
import { expect, test } from "../support/portal-test.ts";
import { failuresOn, untilEnded } from "../support/run-life.ts";

const token = "token-of-the-morning";

/** Two APIs on one target: one issues tokens, the other requires them. */
async function startTwoApis() {
  const target = await startTarget(() => {});
  const getDocument = (title: string, paths: object) => ({
    ...{ openapi: "3.0.3", info: { title, version: "1" }, servers: [{ url: target.baseUrl }], paths },
  });
  const ok = { responses: { 200: { description: "ok" } } };
  const documents: Record<string, object> = {
    "/accounts.json": getDocument("Accounts", { "/login": { post: ok } }),
    "/orders.json": getDocument("Orders", { "/orders": { get: ok } }),
  };
  target.answer(({ url = "", headers }, response) => {
    const isRefused = url === "/orders" && headers["x-token"] !== token;
    response.writeHead(isRefused ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(documents[url] ?? (url === "/login" ? { token } : [])));
  });
  return target;
}

type TestBody = Parameters<PortalBackend["testRegistry"]["createTest"]>[0]["body"];

async function makeTest(backend: PortalBackend, documentUrl: string, test: Omit<TestBody, "assertions">) {
  const apiId = await registerApi(backend, documentUrl);
  const body = { ...test, assertions: [{ source: "statusCode", comparison: "equals", target: 200 }] } as TestBody;
  return requireValue(await backend.testRegistry.createTest({ params: { apiId }, body }), "creating a test");
}

async function addTest(page: Page, name: string): Promise<void> {
  await typeInto(page, /^Name or path/, name);
  await follow(page, "button", /^Find$/);
  await tick(page, new RegExp(name));
  await follow(page, "button", /^Add selected tests$/);
  await expect(page.locator("li[data-member]").filter({ hasText: name })).toBeVisible();
}

test("a circle of two APIs with a login is created, scheduled for working days, run and read, by keyboard and without script", async ({
  signedIn: page,
  portal,
}) => {
  const target = await startTwoApis();
  const backend = await signInToBackend(portal);
  const mark = crypto.randomUUID().slice(0, 8);
  const [login, orders] = [`Log in ${mark}`, `List orders ${mark}`];
  await makeTest(backend, `${target.baseUrl}/accounts.json`, {
    ...{ name: login, method: "post", path: "/login", request: {} },
    captures: [{ name: "token", source: "jsonPath", property: "$.token" }],
  } as TestBody);
  await makeTest(backend, `${target.baseUrl}/orders.json`, {
    ...{ name: orders, method: "get", path: "/orders" },
    request: { headers: [{ name: "x-token", value: "{{token}}", enabled: true }] },
  } as TestBody);

  await page.goto("/dashboard");
  await follow(page, "link", /^Circles$/);
  await follow(page, "link", /Create a circle/);
  await typeInto(page, /^Name \(|^Name$/, `Orders, every morning ${mark}`);
  await addTest(page, orders);
  await follow(page, "button", /^Create circle$/);
  await expect(page.getByText("Not saved yet: some values are missing")).toBeVisible();
  await addTest(page, login);
  await tabTo(page, "combobox", new RegExp(`Phase of ${login}`));
  await page.keyboard.press("ArrowUp");
  await follow(page, "button", /^Create circle$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`Orders, every morning ${mark}`);

  await follow(page, "link", /Add a schedule/);
  await typeInto(page, /^Cron expression/, "0 7 * * 1-5");
  await typeInto(page, /^Time zone/, "Europe/Berlin", "combobox");
  await follow(page, "button", /^Show next runs$/);
  await expect(page.getByText(/07:00 CES?T/)).toHaveCount(10);
  await follow(page, "button", /^Create schedule$/);
  await expect(page.getByText(/07:00 CES?T/).first()).toBeVisible();

  await follow(page, "button", /^Run$/);
  await untilEnded(page, true);
  await expect(page.getByRole("row", { name: new RegExp(login) }).last()).toContainText(/Set-up.*Passed/);
  await expect(page.getByRole("row", { name: new RegExp(orders) }).last()).toContainText("Passed");
  await expect(page.getByRole("row", { name: /\{\{token\}\}/ })).toContainText("No. 1");

  target.answer((_, response) => void response.writeHead(503).end());
  await follow(page, "link", new RegExp(`^Orders, every morning ${mark}$`));
  await follow(page, "button", /^Run$/);
  await untilEnded(page, true);
  await expect(failuresOn(page)).toContainText(`Set-up: ${login}`);
  await follow(page, "link", /^Compare with the previous run$/);
  await expect(page.getByRole("row", { name: new RegExp(login) }).first()).toContainText("503, was 200");
  await expect(page.getByRole("row", { name: new RegExp(orders) }).first()).toContainText("Skipped, was passed");
  await target.close();
});
