import { expect, test } from "vitest";
import { generateOnce } from "./generated-once.ts";

const clock = { now: () => new Date("2026-03-10T12:00:00Z") };

test("only generated placeholders of a variable are filled, each with one value in it", () => {
  expect(generateOnce("at {{$timestamp}}, {{ $isoTimestamp }}, {{other}}", clock)).toEqual({
    value: "at 1773144000, 2026-03-10T12:00:00.000Z, {{other}}",
    isUnique: false,
  });
  const { value = "", isUnique } = generateOnce("{{$uuid}} {{$uuid}}", clock) ?? {};
  expect(new Set(value.split(" ")).size).toBe(1);
  expect(isUnique).toBe(true);
  expect(generateOnce("{{$randomInt}}", clock)?.isUnique).toBe(false);
});

test("a text without generated placeholders is not generated", () => {
  for (const text of ["", "Book", "{{other}}", "{{$other}}", "$uuid", "{{uuid}}"])
    expect(generateOnce(text, clock), text).toBeUndefined();
});
