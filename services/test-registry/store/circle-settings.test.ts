import { expect, test } from "vitest";
import { parseCircleSettings, settingsVersion } from "./circle-settings.ts";

const stored = {
  environments: { "01900000-0000-7000-8000-000000000001": "staging" },
  variables: [{ name: "token", value: "v1.sealed", secret: true }],
  settings_version: settingsVersion,
};

test("a circle's JSON is read as it was written", () => {
  const { environments, variables } = stored;
  expect(parseCircleSettings(stored)).toEqual({ environments, variables });
});

test("JSON of another form, or invalid JSON, is an error", () => {
  expect(() => parseCircleSettings({ ...stored, settings_version: settingsVersion + 1 })).toThrow("stored in form 2");
  expect(() => parseCircleSettings({ ...stored, variables: { token: "v1.sealed" } })).toThrow("expected array");
  expect(() => parseCircleSettings({ ...stored, environments: { api: 1 } })).toThrow("expected string");
});
