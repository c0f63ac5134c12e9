import { expect, test } from "vitest";
import type { Backend } from "~/backend/backend";
import { createLastingBackend } from "./lasting-backend.server";
import type { AuthSession } from "./stored-session";

const session = { accessToken: "first", refreshToken: "kept", expiresAt: 300 } as AuthSession;

/** A backend that reports the token it was opened with, and issues tokens for five minutes. */
function createWorld(hasEnded = false) {
  const requested: string[] = [];
  const continueAccess = async ({ body }: { body: { refreshToken: string } }) => {
    requested.push(body.refreshToken);
    if (hasEnded) return { ok: false, problem: { code: "unauthenticated", detail: "This session has ended." } };
    return { ok: true, value: { accessToken: `fresh-${requested.length}`, expiresIn: 300 } };
  };
  const clock = { now: 0 };
  const open = createLastingBackend(
    {
      connectForStream: (caller) => caller as unknown as Backend,
      connectAsPortal: async () => ({ securityService: { continueAccess } }) as unknown as Backend,
      requestId: "r",
    },
    session,
    () => clock.now,
  );
  return { clock, asked: requested, token: async () => ((await open()) as unknown as { token: string }).token };
}

test("a response that takes longer than an access token continues with fresh ones, each fetched in time", async () => {
  const { clock, asked, token } = createWorld();
  const tokens: string[] = [];
  for (clock.now = 0; clock.now < 1_000; clock.now += 60) tokens.push(await token());
  expect([...new Set(tokens)]).toEqual(["first", "fresh-1", "fresh-2", "fresh-3"]);
  expect(tokens.slice(0, 6)).toEqual([...Array(5).fill("first"), "fresh-1"]);
  expect(asked).toEqual(["kept", "kept", "kept"]);
});

test("a response is aborted once the session has ended", async () => {
  const { clock, token } = createWorld(true);
  expect(await token()).toBe("first");
  clock.now = 290;
  await expect(token()).rejects.toThrow("This session has ended.");
});
