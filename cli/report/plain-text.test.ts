import { expect, test } from "vitest";
import { toPlainText } from "./plain-text.ts";

test.each([
  ["a title of a terminal", "\u001b]0;owned\u0007Books", "\\u001b]0;owned\\u0007Books"],
  ["a line that is overwritten", "failed\r✓ passed", "failed\\u000d✓ passed"],
  ["a command of GitHub's log", "ok\n::add-mask::a", "ok\n: :add-mask::a"],
  ["a command at the start", "  ::stop-commands::x", "  : :stop-commands::x"],
  ["a command of Azure's log", "##[error]no", "# #[error]no"],
  ["text that reads backwards", "user\u202etxt.exe", "user\\u202etxt.exe"],
  ["other languages", "Straße 日本 مرحبا 👋", "Straße 日本 مرحبا 👋"],
])("%s stays text", (_, given, plain) => {
  expect(toPlainText(given)).toBe(plain);
});
