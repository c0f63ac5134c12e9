import { expect, test } from "vitest";
import { mergePull } from "./merge-pull.ts";
import type { PulledObject } from "./portal-code.ts";
import type { FileObject } from "./read-files.ts";
import { hashValue, type StoredObject } from "./state-file.ts";

const circle = (name: string) => ({ kind: "circle" as const, key: "nightly", value: { name } });
const inFile = (name: string) => circle(name) as unknown as FileObject;
const inPortal = (name: string) =>
  ({ ...circle(name), hash: `hash of ${name}`, id: "1", name, applied: null, drift: [] }) as unknown as PulledObject;
const base = (name: string): StoredObject => ({ hash: `hash of ${name}`, local: hashValue({ name }) });

/** What becomes of one circle. */
function merge(here: string | undefined, there: string | undefined, before: string | undefined, overwrite = false) {
  const { objects, stored, kept } = mergePull({
    local: here === undefined ? [] : [inFile(here)],
    pulled: there === undefined ? [] : [inPortal(there)],
    stored: before === undefined ? {} : { "circle nightly": base(before) },
    ...{ api: undefined, overwrite },
  });
  return [objects[0]?.value.name, kept[0]?.reason, stored["circle nightly"]?.hash];
}

test("what changed in the portal comes into the files, what changed in the files stays", () => {
  expect(merge("A", "B", "A")).toEqual(["B", undefined, "hash of B"]);
  expect(merge("B", "A", "A")).toEqual(["B", undefined, "hash of A"]);
  expect(merge("A", undefined, "A")).toEqual([undefined, undefined, undefined]);
  expect(merge(undefined, "B", undefined)).toEqual(["B", undefined, "hash of B"]);
});

test("without a base the portal counts, and what only files have stays", () => {
  expect(merge("A", "B", undefined)).toEqual(["B", undefined, "hash of B"]);
  expect(merge("A", undefined, undefined)).toEqual(["A", "only here", undefined]);
});

test("where both changed, the files stay as they are and it is named, unless the portal is to count", () => {
  expect(merge("C", "B", "A")).toEqual(["C", "both changed", "hash of A"]);
  // Others applied the same files.
  expect(merge("B", "B", "A")).toEqual(["B", undefined, "hash of B"]);
  expect(merge(undefined, "B", "A")).toEqual([undefined, "deleted here, changed there", "hash of A"]);
  expect(merge(undefined, "A", "A")).toEqual([undefined, "deleted here", "hash of A"]);
  expect(merge("C", undefined, "A")).toEqual(["C", "changed here, deleted there", "hash of A"]);
  expect(merge("C", "B", "A", true)).toEqual(["B", undefined, "hash of B"]);
  expect(merge(undefined, "A", "A", true)).toEqual(["A", undefined, "hash of A"]);
  expect(merge("C", undefined, "A", true)).toEqual([undefined, undefined, undefined]);
});

test("what files applied after the last pull is the base, and not what was pulled", () => {
  const applied = { repository: "", commit: "", at: "2026-03-01T12:00:00.000Z", isDrifted: false };
  const decide = (here: string, appliedAt: string | null) => {
    const { objects, kept } = mergePull({
      ...{ local: [inFile(here)], pulled: [{ ...inPortal("B"), applied }], api: undefined, overwrite: false },
      stored: { "circle nightly": { ...base("A"), appliedAt } },
    });
    return [objects[0]?.value.name, kept[0]?.reason];
  };
  // A pipeline applied B, which came here by Git and was changed to C.
  expect(decide("C", null)).toEqual(["C", undefined]);
  expect(decide("C", "2026-02-01T12:00:00.000Z")).toEqual(["C", undefined]);
  expect(decide("C", applied.at)).toEqual(["C", "both changed"]);
});

test("where one API is pulled, everything else stays as it is", () => {
  const { objects, stored, kept } = mergePull({
    ...{ local: [inFile("C")], pulled: [], api: "shop", overwrite: true },
    stored: { "circle nightly": base("A") },
  });
  expect([objects[0]?.value.name, stored["circle nightly"]?.hash, kept]).toEqual(["C", "hash of A", []]);
});
