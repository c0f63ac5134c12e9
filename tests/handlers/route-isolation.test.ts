import { afterAll, beforeAll, expect, test } from "vitest";
import { accessNeeded, type PageAccess } from "../../app/session/route-access.ts";
import { getScopes } from "../../services/security-service/domain/roles.ts";
import type { FormPage } from "../support/form-page.ts";
import { portalOrigin } from "../support/handled-services.ts";
import { readChecksums } from "../support/organization-rows.ts";
import {
  attemptsAtPage,
  listFormPages,
  pagePaths,
  type RouteAttempt,
  withoutRequested,
} from "../support/route-attempts.ts";
import { FormCollection, replaced, type SentForm } from "../support/route-forms.ts";
import {
  cursorShapes,
  findFirst,
  firstCursor,
  getQueryNames,
  getUntried,
  namesLookedFor,
  otherCursors,
  senselessCursors,
  withQuery,
} from "../support/route-queries.ts";
import { openRouteWorld, type Role, type RouteWorld, roles } from "../support/route-world.ts";
import type { Ids } from "../support/tried-operations.ts";
import { cursorNames, notOurs, ofOperators, pagesThatKeepDeleted } from "../support/tried-routes.ts";

let world: RouteWorld;
/** The forms of our pages. */
let forms: FormCollection;
/** Checksums of the other organization. */
let before: Record<string, string>;

beforeAll(async () => {
  world = await openRouteWorld();
  forms = new FormCollection(world.ourIds);
  before = await readChecksums(world.database, world.theirOrganizationId);
});
afterAll(() => world.stop());

// Signing out would end the attempts.
const pages = pagePaths.filter((page) => page !== "/signout");
const attempts = pages.flatMap(attemptsAtPage);
const needs = (address: string, method = "GET") => accessNeeded({ url: new URL(address, portalOrigin).href, method });
const holds = (role: Role, access: PageAccess) =>
  access === "public" || access === "signed-in" || getScopes([role]).includes(access);
/** A status page is readable for everyone with its address. */
const idsIn = ({ names }: RouteAttempt) => names.filter((name) => name !== "address");
const rubbish = "no id'><";

test.each(roles)("T02: as %s, one's own pages are displayed or refused, and reveal nothing of others", async (role) => {
  const visitor = await world.signIn(role);
  const open = (address: string) => visitor.copied().open(address);
  const displayed = new Set<string>();
  for (const attempt of attempts) {
    const page = await open(attempt.address(world.ourIds));
    if (page.status < 400) displayed.add(attempt.page);
    // Routes that only accept forms say so to everyone.
    if (page.status !== 405) expect(page.status === 403, page.address).toBe(!holds(role, needs(page.address)));
    const seesAll = role === "SYSTEM_ADMIN" && ofOperators.includes(attempt.page);
    if (!seesAll) expect(world.findForeign(page.html), page.address).toEqual([]);
    if (role === "ADMIN" && page.status === 200) await forms.takeFrom(page, open);
  }
  const expected = pages.filter((page) => holds(role, needs(page)) && !(page in notOurs));
  if (role !== "SYSTEM_ADMIN") expect(expected.filter((page) => !displayed.has(page))).toEqual([]);
});

test.each(roles)("T02: as %s, ids of another organization are answered like unassigned ones", async (role) => {
  const visitor = await world.signIn(role);
  const { ourIds, theirIds, goneIds, randomIds } = world;
  const wrong: string[] = [];
  async function ask(attempt: RouteAttempt, names: string[], ids: Ids): Promise<string> {
    const getId = (name: string) => ids[name] ?? randomIds[name]!;
    const others = Object.fromEntries(names.map((name) => [name, getId(name)]));
    const page = await visitor.copied().open(attempt.address({ ...ourIds, ...others }));
    const revealed = withoutRequested(page.html, Object.values(others));
    const found = world.findForeign(revealed);
    if (found.length > 0) wrong.push(`${page.address} tells ${found}`);
    return `${page.status} ${revealed}`;
  }
  for (const attempt of attempts) {
    const names = idsIn(attempt);
    if (names.length === 0 || (role === "SYSTEM_ADMIN" && ofOperators.includes(attempt.page))) continue;
    const expected = await ask(attempt, names, randomIds);
    if ((await ask(attempt, names, theirIds)) !== expected) wrong.push(`${attempt.page} with others' ${names}`);
    // Other roles get fewer attempts than administrators: the pages that they may open are loaded by the same code.
    if (role !== "ADMIN") continue;
    for (const name of names.length > 1 ? names : []) {
      if ((await ask(attempt, [name], theirIds)) !== (await ask(attempt, [name], randomIds)))
        wrong.push(`${attempt.page} with another's ${name}`);
    }
    const ofDeleted = await ask(attempt, names, goneIds);
    if (ofDeleted !== expected && !pagesThatKeepDeleted.includes(attempt.page))
      wrong.push(`${attempt.page} with a deleted ${names}`);
    const ofRubbish = await ask(attempt, names, Object.fromEntries(names.map((name) => [name, rubbish])));
    const isRefused = /^4/.test(ofRubbish) || ofRubbish.slice(0, 3) === expected.slice(0, 3);
    if (!isRefused) wrong.push(`${attempt.page} with a senseless ${names}: ${ofRubbish.slice(0, 3)}`);
  }
  expect(wrong).toEqual([]);
});

test("T02: pages read no query parameter that is not tried, and no list position leads to others' data", async () => {
  const visitors = { ADMIN: await world.signIn("ADMIN"), SYSTEM_ADMIN: await world.signIn("SYSTEM_ADMIN") };
  const { testId, userId }: Ids = world.theirIds;
  const things = [testId!, userId!];
  const wrong: string[] = [];
  const lists = new Set<string>();
  for (const attempt of attempts.toReversed()) {
    const { page } = attempt;
    const visitor = visitors[needs(page) === "system:manage" ? "SYSTEM_ADMIN" : "ADMIN"];
    const address = attempt.address(world.ourIds);
    const open = (one: string) => visitor.copied().open(one);
    const looked = await namesLookedFor(address, open);
    const requested = attempts.filter((one) => one.page === page).flatMap((one) => getQueryNames(one, world.ourIds));
    for (const name of getUntried(looked.names, requested)) wrong.push(`${page} is not tried with ${name}`);

    for (const name of cursorNames.filter((one) => looked.names.includes(one))) {
      if (looked.status !== 200 || lists.has(`${page} ${name}`)) continue;
      lists.add(`${page} ${name}`);
      const ask = async (cursor: string) => {
        const result = await open(withQuery(address, { [name]: cursor }));
        const found = ofOperators.includes(page) ? [] : world.findForeign(withoutRequested(result.html, things));
        if (found.length > 0) wrong.push(`${result.address} tells ${found}`);
        return result.status;
      };
      const shape = await findFirst(cursorShapes, async (one) => (await ask(firstCursor(one))) === 200);
      if (!shape) wrong.push(`${page} takes no ${name}`);
      for (const cursor of shape ? otherCursors(shape, things) : []) await ask(cursor);
      for (const cursor of shape ? senselessCursors(shape) : []) {
        const status = await ask(cursor);
        // An invalid address is no page, and some lists accept any word as a position.
        if (![200, 400, 404].includes(status)) wrong.push(`${page} answers ${status} to the ${name} ${cursor}`);
      }
    }
  }
  expect(lists.size).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

test("T02: no page has a second address that returns its data", async () => {
  const visitor = await world.signIn("ADMIN");
  for (const { page, address } of attempts.filter((one) => one.page !== "/*")) {
    for (const ids of [world.ourIds, world.theirIds]) {
      const [path, search = ""] = address(ids).split("?");
      expect((await visitor.open(withQuery(address(ids), { _data: "root" }))).status, page).toBe(404);
      const { html, headers } = await visitor.copied().open(`${path}.data?${search}`);
      // A trailing name segment also accepts the name with this suffix, which does not exist.
      expect(headers.get("x-remix-response"), page).toBeNull();
      expect(withoutRequested(html, Object.values(ids))).not.toContain("Quokkas");
    }
  }
});

test("every page that accepts members' forms has one to try", async () => {
  const takers = (await listFormPages()).filter((page) => needs(page, "POST") !== "public");
  const tried = new Set(forms.all.map(({ page }) => page));
  expect(takers.length).toBeGreaterThan(50);
  expect(takers.filter((page) => !tried.has(page))).toEqual([]);
});

test.each(roles)("T02: forms of pages that %s may not send are refused, and others are not", async (role) => {
  const visitor = await world.signIn(role);
  for (const form of forms.all) {
    const mayBeSent = holds(role, needs(form.address, "POST"));
    const names = Object.keys(world.ourIds);
    // Permitted forms are sent with unassigned ids, so that our resources remain.
    const namesOurs = names.some((name) => form.address.includes(world.ourIds[name]!));
    // An administrator sends all of them in the next test.
    if (mayBeSent && (role === "ADMIN" || !namesOurs)) continue;
    const sent = mayBeSent ? replaced(form, world.ourIds, world.randomIds, names) : form;
    const { status } = await visitor.copied().post(sent.address, sent.entries);
    expect(status === 403, `${form.page} ${form.entries}`).toBe(!mayBeSent);
  }
});

/** Which of our ids a form has in its address, and which in its fields. */
function getIds({ address, entries }: SentForm): { inPath: string[]; inFields: string[] } {
  const { ourIds } = world;
  // Host names and addresses of status pages belong to no organization.
  const known = Object.keys(ourIds).filter((name) => ourIds[name] && !["address", "domain"].includes(name));
  const path = address.split("?")[0]!;
  const typed = entries.filter(([name]) => name !== "returnTo").flat();
  const inPath = known.filter((name) => path.includes(ourIds[name]!));
  const isTyped = (name: string) => typed.some((one) => one.includes(ourIds[name]!));
  return { inPath, inFields: known.filter((name) => !inPath.includes(name) && isTyped(name)) };
}

test("T02: forms about another organization's resources are answered like those about unassigned ids", async () => {
  const visitor = await world.signIn("ADMIN");
  const { ourIds, theirIds, randomIds } = world;
  const wrong: string[] = [];
  async function send(form: SentForm, names: string[], ids: Ids) {
    const others = { ...randomIds, ...ids };
    const { address, entries } = replaced(form, ourIds, others, names);
    const page = await atItsEnd(await visitor.copied().post(address, entries));
    const revealed = withoutRequested(
      page.html,
      names.map((name) => others[name]!),
    );
    const found = world.findForeign(revealed);
    if (found.length > 0) wrong.push(`${form.page} ${form.entries} tells ${found}`);
    return { status: page.status, revealed: `${page.status} ${revealed}` };
  }
  /** The page of a started run is compared once it has ended: its progress is not deterministic. */
  async function atItsEnd(page: FormPage): Promise<FormPage> {
    const { pathname, search } = page.url;
    if (page.status >= 400 || !/\/(executions|runs)\//.test(pathname)) return page;
    const listUnfinished = async () =>
      (await world.database.query("select id from test_executioner.unfinished_executions")).rows;
    await expect.poll(listUnfinished).toEqual([]);
    return await visitor.copied().open(`${pathname}${search}`);
  }
  for (const form of forms.all) {
    const { inPath, inFields } = getIds(form);
    const all = inPath.length > 0 ? [[...inPath, ...inFields]] : [];
    const last = inPath.length > 1 ? [inPath.slice(-1)] : [];
    for (const names of [...all, ...last, ...inFields.map((name) => [name])]) {
      const expected = await send(form, names, randomIds);
      // An action that ignores the id has taken effect, and can't be repeated.
      const isDone = expected.status < 400 && inFields.includes(names[0]!);
      const { revealed } = await send(form, names, theirIds);
      if (revealed !== expected.revealed && !isDone) wrong.push(`${form.page} ${form.entries} with another's ${names}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("a visitor without a session reaches no protected page or form, whether the resource exists or not", async () => {
  for (const page of pages.filter((one) => needs(one) !== "public")) {
    const { status, url } = await world.portal.visit().open(attemptsAtPage(page)[0]!.address(world.theirIds));
    if (status !== 405) expect(url.pathname, page).toBe("/login");
  }
  for (const { address, entries } of forms.all) {
    if (needs(address, "POST") === "public") continue;
    expect((await world.portal.visit().post(address, entries)).url.pathname, address).toBe("/login");
  }
});

test("none of this has changed anything of the other organization", async () => {
  expect(await readChecksums(world.database, world.theirOrganizationId)).toEqual(before);
});
