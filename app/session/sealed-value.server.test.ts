import { expect, test } from "vitest";
import { z } from "zod";
import { createSealer } from "./sealed-value.server";

const named = z.object({ name: z.string() });
const sealer = createSealer(named, "the installation's secret", "test");

test("what was sealed opens again and does not show what it holds", () => {
  const sealed = sealer.seal({ name: "Ann" }, 60);
  expect(sealer.open(sealed)).toEqual({ name: "Ann" });
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("Ann");
});

test("W06: no changed character of 1,000 is accepted", () => {
  const sealed = sealer.seal({ name: "Ann" }, 60);
  for (let round = 0; round < 1_000; round++) {
    const at = Math.floor(Math.random() * sealed.length);
    const other = sealed[at] === "A" ? "B" : "A";
    expect(sealer.open(sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeUndefined();
  }
});

test("another secret, another purpose and rubbish do not open", () => {
  const sealed = sealer.seal({ name: "Ann" }, 60);
  expect(createSealer(named, "another secret", "test").open(sealed)).toBeUndefined();
  expect(createSealer(named, "the installation's secret", "other").open(sealed)).toBeUndefined();
  expect(sealer.open("")).toBeUndefined();
  expect(sealer.open("rubbish!".repeat(20))).toBeUndefined();
});

test("a value that has ended does not open", () => {
  expect(sealer.open(sealer.seal({ name: "Ann" }, -1))).toBeUndefined();
});

test("what an earlier version sealed in another form does not open", () => {
  const earlier = createSealer(z.object({ firstName: z.string() }), "the installation's secret", "test");
  expect(sealer.open(earlier.seal({ firstName: "Ann" }, 60))).toBeUndefined();
});
