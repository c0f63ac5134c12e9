import { pino } from "pino";
import { expect, test } from "vitest";
import { type AccessChange, createStandings, type ReadAccessChanges, type TokenHolder } from "./standings.ts";

const ada: TokenHolder = {
  sessionId: "s1",
  userId: "ada",
  organizationId: "o1",
  roles: ["EDITOR"],
  scopes: ["apis:read", "apis:write"],
};
const ended: AccessChange = { kind: "session-ended", sessionId: "s1" };
const demoted: AccessChange = {
  kind: "roles-changed",
  userId: "ada",
  organizationId: "o1",
  roles: ["VIEWER"],
  scopes: ["apis:read"],
};

function standingsOn(read: ReadAccessChanges) {
  const logged: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  return { standings: createStandings({ read, log, poll: false }), logged };
}

/** Returns each item of the list once. */
function source() {
  const list: AccessChange[] = [];
  const read: ReadAccessChanges = async (since) => ({ changes: list.slice(Number(since)), next: String(list.length) });
  return { list, read };
}

test("an ended session is refused, another session of the same user is not", async () => {
  const { list, read } = source();
  const { standings } = standingsOn(read);
  await standings.ready;
  expect(standings.require(ada)).toEqual({ roles: ada.roles, scopes: ada.scopes });
  list.push(ended);
  await standings.look();
  expect(() => standings.require(ada)).toThrow("This session has ended");
  expect(standings.require({ ...ada, sessionId: "s2" })).toMatchObject({ roles: ["EDITOR"] });
});

test("roles are the current ones of the organization; without any, the user is no longer a member", async () => {
  const { list, read } = source();
  const { standings } = standingsOn(read);
  list.push(demoted);
  await standings.look();
  expect(standings.require(ada)).toEqual({ roles: ["VIEWER"], scopes: ["apis:read"] });
  expect(standings.require({ ...ada, organizationId: "o2" })).toMatchObject({ roles: ["EDITOR"] });
  list.push({ ...demoted, roles: null, scopes: [] });
  await standings.look();
  expect(() => standings.require(ada)).toThrow("This session has ended");
});

test("a look that began before a change is followed by one that sees it", async () => {
  const { list, read } = source();
  const { standings } = standingsOn(async (since) => {
    const answer = await read(since);
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  });
  const before = standings.look();
  list.push(ended);
  await standings.look();
  expect(() => standings.require(ada)).toThrow("This session has ended");
  await before;
});

test("while changes can't be read no user is signed out, it is logged once, and missed changes are read afterwards", async () => {
  const { list, read } = source();
  let away = true;
  const { standings, logged } = standingsOn((since) => (away ? Promise.reject(new Error("away")) : read(since)));
  await standings.ready;
  await standings.look();
  list.push(ended);
  expect(standings.require(ada)).toMatchObject({ roles: ["EDITOR"] });
  away = false;
  await standings.look();
  expect(() => standings.require(ada)).toThrow("This session has ended");
  expect(logged).toEqual([
    "sign-outs and changed roles of other processes can't be heard of",
    "sign-outs and changed roles are heard of again",
  ]);
});
