import { expect, test } from "vitest";
import { confirmedUntil, promptToAskAgain, signedOnAt } from "./provider-confirmation.ts";

const now = new Date("2026-03-01T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const signedAt = (moment: Date) => signedOnAt({ auth_time: moment.getTime() / 1_000 }, now);

test("a sign-in at the provider confirms for ten minutes, and a sign-in by password never does", () => {
  expect(confirmedUntil(minutesAgo(9), now)).toEqual(new Date("2026-03-01T12:01:00Z"));
  expect(confirmedUntil(minutesAgo(10), now)).toBeUndefined();
  expect(confirmedUntil(null, now)).toBeUndefined();
});

test("the time of an earlier sign-in at the provider counts, and a provider clock ahead of ours gives no extra time", () => {
  expect(signedAt(minutesAgo(45))).toEqual(minutesAgo(45));
  expect(signedAt(minutesAgo(-45))).toEqual(now);
});

test("providers are asked to authenticate again, and Google with the parameter it supports", () => {
  expect(promptToAskAgain("https://login.example.com")).toBe("login");
  expect(promptToAskAgain("https://accounts.google.com")).toBe("select_account");
});

test("an invalid time counts as now", () => {
  for (const auth_time of [undefined, "1", Number.NaN]) expect(signedOnAt({ auth_time }, now)).toEqual(now);
  expect(signedOnAt({ auth_time: -1e30 }, now)).toEqual(new Date(0));
});
