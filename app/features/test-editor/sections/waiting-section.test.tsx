import { useForm } from "@conform-to/react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseTestToSave } from "../editor-form.server.ts";
import type { TestFormValues } from "../test-form-values.ts";
import { WaitingSection } from "./waiting-section.tsx";

/** The section after a refused submission without script. */
function submit(everySeconds: string, atMostSeconds: string): string {
  const form = new FormData();
  const fields = { name: "", "waitUntil.everySeconds": everySeconds, "waitUntil.atMostSeconds": atMostSeconds };
  for (const [name, value] of Object.entries({ ...fields, "retry.backoff": "fixed" })) form.append(name, value);
  const lastResult = parseTestToSave(form, { method: "get", path: "/books" }).reply();
  function Section() {
    const [metadata] = useForm<TestFormValues>({ id: "test", lastResult, defaultValue: lastResult.initialValue });
    return <WaitingSection form={metadata} />;
  }
  return renderToStaticMarkup(<Section />);
}

const isOpen = (markup: string) => /<details [^>]*open=""/.test(markup);

test("errors of a wait are at its fields, which keep what was typed", () => {
  const lacking = submit("0.5", "");
  expect(lacking).toMatch(/name="waitUntil.everySeconds"[^>]*value="0.5"/);
  expect(lacking).toMatch(/1 error/);
  expect(lacking).toContain("Enter the longest wait too, or leave both empty");
  expect(isOpen(lacking)).toBe(true);
  const wrong = submit("often", "301");
  expect(wrong).toMatch(/value="often"/);
  expect(wrong).toMatch(/value="301"/);
  expect(wrong).toContain("Write the pause as a number, such as 5 or 0.5");
  expect(wrong).toContain("At most 300 seconds");
});

test("without a wait the section is closed and has no error", () => {
  const empty = submit("", "");
  expect(isOpen(empty)).toBe(false);
  expect(empty).not.toMatch(/\d errors?/);
});
