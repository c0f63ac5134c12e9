import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { findWeakness } from "./password-strength.ts";
import { generatePassword } from "./passwords.ts";

const alice = ["alice.smith", "Alice Smith", "alice@example.org"];

test.each([
  ["passwordpassword", "repeats one piece"],
  ["aaaaaaaaaaaaaaaa", "repeats one piece"],
  ["Summer2026Summer2026", "repeats one piece"],
  ["qwertyuiopasdfgh", "tried first"],
  ["qazwsxedcrfvtgb", "tried first"],
  ["123456789012345", "follows"],
  ["abcdefghijklmnopqrst", "follows"],
  ["zxcvbnm,./asdfghjkl", "follows"],
  ["correct horse battery staple", "tried first"],
  ["CorrectHorseBatteryStaple", "tried first"],
  ["c0rrect-h0rse-battery-staple", "tried first"],
  ["P@ssw0rd12345678", "tried first"],
])("%s is refused, and it is said why: it %s", (password, reason) => {
  expect(findWeakness(password, [])).toMatch(/^Choose a password that is harder to guess\. /);
  expect(findWeakness(password, [])).toContain(reason);
});

test.each([
  "alice.smithalice.smith",
  "alice.smith12345",
  "AliceSmith2026!!",
  "htims ecila 1990",
  "alice@example.org",
  "Alice-Smith-1234",
])("a password made of its owner's name is refused: %s", (password) => {
  expect(findWeakness(password, alice)).toContain("Choose a password");
});

test.each(["api assurance portal", "ApiAssurance2026!", "api-assurance-12345"])("%s is refused here", (password) => {
  expect(findWeakness(password, [])).toContain("contains a name");
});

test.each([
  "river stone lamp cloud",
  "my dog eats breakfast at nine",
  "kq7-vxm2-pz9r-wt4",
  "vier Äpfel im grünen Zug",
  "彼は毎朝七時に犬と公園を走っています",
  "blue alice table seven",
])("a long passphrase is taken: %s", (password) => {
  expect(findWeakness(password, alice)).toBeUndefined();
});

test("two hundred generated passwords are all accepted", () => {
  for (let number = 0; number < 100; number += 1) {
    expect(findWeakness(generatePassword(), alice)).toBeUndefined();
    expect(findWeakness(randomBytes(12).toString("base64"), alice)).toBeUndefined();
  }
});

test("only the beginning of a long password is judged, because the work grows with the square of its length", () => {
  const tail = randomBytes(110).toString("base64");
  expect(findWeakness(`${"a".repeat(48)}${tail}`, [])).toContain("repeats one piece");
  expect(findWeakness(`${"a".repeat(20)}${tail}`, [])).toBeUndefined();
});
