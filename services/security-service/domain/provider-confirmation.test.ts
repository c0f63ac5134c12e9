import { expect, test } from "vitest";
import { confirmedUntil, promptToAskAgain, signedOnAt } from "./provider-confirmation.ts";

const now = new Date("2026-03-01T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const told = (moment: Date) => signedOnAt({ auth_time: moment.getTime() / 1_000 }, now);

test("a sign-in at the provider confirms for ten minutes, and one by password never", () => {
  expect(confirmedUntil(minutesAgo(9), now)).toEqual(new Date("2026-03-01T12:01:00Z"));
  expect(confirmedUntil(minutesAgo(10), now)).toBeUndefined();
  expect(confirmedUntil(null, now)).toBeUndefined();
});

test("a provider that remembers somebody from earlier says so, and a clock ahead of ours gives no longer", () => {
  expect(told(minutesAgo(45))).toEqual(minutesAgo(45));
  expect(told(minutesAgo(-45))).toEqual(now);
});

test("providers are told to ask again, and Google what it understands", () => {
  expect(promptToAskAgain("https://login.example.com")).toBe("login");
  expect(promptToAskAgain("https://accounts.google.com")).toBe("select_account");
});

test("what is no moment counts as now", () => {
  for (const auth_time of [undefined, "1", Number.NaN]) expect(signedOnAt({ auth_time }, now)).toEqual(now);
  expect(signedOnAt({ auth_time: -1e30 }, now)).toEqual(new Date(0));
});
