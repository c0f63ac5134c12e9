import { pino } from "pino";
import { expect, test } from "vitest";
import { type AccessChange, createAccessState, type ReadAccessChanges, type TokenHolder } from "./access-state.ts";

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

function openAccessState(read: ReadAccessChanges) {
  const logged: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  return { accessState: createAccessState({ read, log, poll: false }), logged };
}

/** Returns each item of the list once. */
function source() {
  const list: AccessChange[] = [];
  const read: ReadAccessChanges = async (since) => ({ changes: list.slice(Number(since)), next: String(list.length) });
  return { list, read };
}

test("an ended session is refused, another session of the same user is not", async () => {
  const { list, read } = source();
  const { accessState } = openAccessState(read);
  await accessState.ready;
  expect(accessState.require(ada)).toEqual({ roles: ada.roles, scopes: ada.scopes });
  list.push(ended);
  await accessState.refresh();
  expect(() => accessState.require(ada)).toThrow("This session has ended");
  expect(accessState.require({ ...ada, sessionId: "s2" })).toMatchObject({ roles: ["EDITOR"] });
});

test("roles are the current ones of the organization; without any, the user is no longer a member", async () => {
  const { list, read } = source();
  const { accessState } = openAccessState(read);
  list.push(demoted);
  await accessState.refresh();
  expect(accessState.require(ada)).toEqual({ roles: ["VIEWER"], scopes: ["apis:read"] });
  expect(accessState.require({ ...ada, organizationId: "o2" })).toMatchObject({ roles: ["EDITOR"] });
  list.push({ ...demoted, roles: null, scopes: [] });
  await accessState.refresh();
  expect(() => accessState.require(ada)).toThrow("This session has ended");
});

test("a look that began before a change is followed by one that sees it", async () => {
  const { list, read } = source();
  const { accessState } = openAccessState(async (since) => {
    const result = await read(since);
    await new Promise((resolve) => setImmediate(resolve));
    return result;
  });
  const before = accessState.refresh();
  list.push(ended);
  await accessState.refresh();
  expect(() => accessState.require(ada)).toThrow("This session has ended");
  await before;
});

test("while changes can't be read no user is signed out, it is logged once, and missed changes are read afterwards", async () => {
  const { list, read } = source();
  let isUnavailable = true;
  const { accessState, logged } = openAccessState((since) =>
    isUnavailable ? Promise.reject(new Error("away")) : read(since),
  );
  await accessState.ready;
  await accessState.refresh();
  list.push(ended);
  expect(accessState.require(ada)).toMatchObject({ roles: ["EDITOR"] });
  isUnavailable = false;
  await accessState.refresh();
  expect(() => accessState.require(ada)).toThrow("This session has ended");
  expect(logged).toEqual(["access changes of other processes can't be read", "access changes can be read again"]);
});
