import fc from "fast-check";
import { expect, test } from "vitest";
import type { Vault } from "../../kit/vault/vault.ts";
import { createCaptureSeal } from "./capture-seal.ts";

const vault = { seal: (text: string) => `sealed ${text}`, open: (text: string) => text.slice(7) } as unknown as Vault;
const seal = createCaptureSeal(vault);
const run = { organization_id: "one", run_id: "two" };

test("a captured string is stored as text that a database holds, and read back with every character", () => {
  const units = fc.array(fc.oneof(fc.constant(0), fc.constant(0xd800), fc.nat(0xffff)));
  fc.assert(
    fc.property(units, fc.boolean(), (codes, isSecret) => {
      const capture = { name: "x", isSecret, value: String.fromCharCode(...codes), type: "string" as const };
      const stored = seal.close(run, capture);
      expect(stored.value).not.toMatch(/[\0\p{Surrogate}]/u);
      expect(seal.open(run, stored)).toEqual(capture);
    }),
  );
});

test("JSON and text without a type are stored as they are, and rows of earlier versions are text without a type", () => {
  const number = { name: "x", isSecret: false, value: "1.0", type: "json" as const };
  expect(seal.open(run, seal.close(run, number))).toEqual(number);
  const header = { name: "x", isSecret: true, value: "1042" };
  expect(seal.open(run, seal.close(run, header))).toEqual(header);
  expect(seal.open(run, { name: "x", isSecret: false, value: '"1042"' })).toEqual({
    ...{ name: "x", isSecret: false, value: '"1042"' },
  });
});
