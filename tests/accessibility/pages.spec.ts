import type { Page } from "@playwright/test";
import { inviteByMail } from "../support/invited.ts";
import { type MadeWorld, makeWorld } from "../support/made-world.ts";
import type { PortalProcess } from "../support/portal-process.ts";
import { expect, expectAccessible, signIn, test } from "../support/portal-test.ts";
import { newcomer } from "../support/registration-life.ts";
import { newestLetterPath } from "../support/sandbox-letters.ts";

const publicPages = [
  "/",
  "/login",
  "/login?registered=ada",
  "/registration-type-selection",
  "/create-account-individual?serviceId=team",
  "/create-account-individual-success",
  "/create-account-organization",
  "/create-account-organization-success",
  "/complete-individual-account-registration?token=ended",
  "/register",
  "/register?token=ended",
  "/password-reset",
  "/password-reset?sent",
  "/password-reset/complete",
  "/password-reset/complete?token=any",
  "/contact",
  "/contact?sent",
  "/about",
  "/sandbox/mail",
  "/privacy-policy",
  "/terms-and-conditions",
  "/legal",
  "/nowhere",
];

/** A letter, and where its link leads before and after a code was asked for. */
async function mailedPages(portal: PortalProcess): Promise<string[]> {
  const { email } = newcomer();
  const { link } = await inviteByMail(portal, email);
  return [await newestLetterPath(portal, email, /invit/i), link, `${link}&code=sent`];
}

function signedInPages({ apiId, testId, executionId, runId, credentialId }: MadeWorld): string[] {
  const api = `/api-management/${apiId}`;
  const tests = `/test-management/${apiId}`;
  const operation = "method=post&path=%2Fbooks";
  return [
    "/dashboard",
    "/profile",
    "/billing",
    "/signout",
    "/administration/credentials",
    "/administration/credentials/create",
    `/administration/credentials/${credentialId}/edit`,
    "/administration/credentials/domain/127.0.0.1",
    "/api-management/list",
    "/api-management/list?query=nothing-fits-this",
    "/api-management/register",
    `${api}/details`,
    `${api}/details?dialog=delete`,
    `${api}/details/edit`,
    `${api}/details/environments`,
    `${api}/details/import`,
    `${api}/swagger`,
    `${api}/swagger/operations`,
    `${api}/swagger/operation?${operation}`,
    "/test-management/select-api",
    `${tests}/manage`,
    `${tests}/runs`,
    `${tests}/runs?verdict=passed`,
    `${tests}/runs/${runId}`,
    `${tests}/tests`,
    `${tests}/tests?dialog=delete&testId=${testId}`,
    `${tests}/tests/create/%2Fbooks/post`,
    `${tests}/tests/${testId}/edit`,
    `${tests}/tests/${testId}/executions/list`,
    `${tests}/tests/${testId}/executions/${executionId}/results`,
    `${tests}/tests/${testId}/executions/${executionId}/verifications`,
  ];
}

/** Visits every page; axe must find nothing, and no page may be wider than its window or break the script policy. */
async function visitAll(page: Page, paths: string[], width: number): Promise<void> {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(`${page.url()}: ${message.text()}`);
  });
  await page.setViewportSize({ width, height: 800 });
  for (const path of paths) {
    await test.step(path, async () => {
      await page.goto(path);
      await expectAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, "pixels the page is wider than the window").toBeLessThanOrEqual(0);
    });
  }
  expect(refused).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    test(`axe finds nothing on any page: ${colorScheme}, ${width} wide`, async ({ browser, portal, targetApi }) => {
      test.setTimeout(240_000);
      const world = await makeWorld(portal, targetApi);
      const context = await browser.newContext({ baseURL: portal.origin, colorScheme });
      const page = await context.newPage();
      await visitAll(page, [...publicPages, ...(await mailedPages(portal))], width);
      await signIn(page, portal);
      await visitAll(page, signedInPages(world), width);
      await context.close();
    });
  }
}
