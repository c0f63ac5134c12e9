import { inviteByMail } from "../support/invited.ts";
import { type MadeWorld, makeWorld } from "../support/made-world.ts";
import type { RunningPortal } from "../support/portal-process.ts";
import { test } from "../support/portal-test.ts";
import { newcomer } from "../support/registration-life.ts";
import { findNewestEmailPath } from "../support/sandbox-emails.ts";
import { visitAll } from "../support/visit-all.ts";
import { areas, publicPages } from "./visited-pages.ts";

/** An email, and the target of its link before and after a code was requested. */
async function mailedPages(portal: RunningPortal): Promise<string[]> {
  const { email } = newcomer();
  const { link } = await inviteByMail(portal, email);
  return [await findNewestEmailPath(portal, email, /invit/i), link, `${link}&code=sent`];
}

test.describe.configure({ mode: "parallel" });

/** Created once for the tests of a worker, which only read it. */
let world: Promise<MadeWorld> | undefined;

for (const [name, getPages] of areas) {
  test(`axe finds nothing on the pages ${name}, in light and dark, wide and narrow`, async ({
    signedIn,
    portal,
    targetApi,
  }) => {
    world ??= makeWorld(portal, targetApi);
    await visitAll(signedIn, getPages(await world));
  });
}

test("axe finds nothing on the pages of visitors, in light and dark, wide and narrow", async ({ page, portal }) => {
  await visitAll(page, [...publicPages, ...(await mailedPages(portal))]);
});
