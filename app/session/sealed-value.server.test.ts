import { expect, test } from "vitest";
import { z } from "zod";
import { createSealer } from "./sealed-value.server";

const named = z.object({ name: z.string() });
const sealer = createSealer(named, "the installation's secret", "test");

test("a sealed value opens again and does not show its content", () => {
  const sealed = sealer.seal({ name: "Ann" }, 60);
  expect(sealer.open(sealed)).toEqual({ name: "Ann" });
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("Ann");
});

test("W06: a sealed text with any one of its characters changed does not open, in 1,000 tries", () => {
  const sealed = sealer.seal({ name: "Ann" }, 60);
  for (let round = 0; round < 1_000; round++) {
    const at = Math.floor(Math.random() * sealed.length);
    const other = sealed[at] === "A" ? "B" : "A";
    expect(sealer.open(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
  }
});

test("another secret, another purpose and invalid text do not open", () => {
  const sealed = sealer.seal({ name: "Ann" }, 60);
  expect(createSealer(named, "another secret", "test").open(sealed)).toBeUndefined();
  expect(createSealer(named, "the installation's secret", "other").open(sealed)).toBeUndefined();
  expect(sealer.open("")).toBeUndefined();
  expect(sealer.open("rubbish!".repeat(20))).toBeUndefined();
});

test("an expired value does not open", () => {
  expect(sealer.open(sealer.seal({ name: "Ann" }, -1))).toBeUndefined();
});

test("a value that an earlier version sealed in another format does not open", () => {
  const earlier = createSealer(z.object({ firstName: z.string() }), "the installation's secret", "test");
  expect(sealer.open(earlier.seal({ firstName: "Ann" }, 60))).toBeUndefined();
});
