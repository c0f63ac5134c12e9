import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { standardSchema } from "#libraries/openapi/standard-schemas.ts";
import { repetitions } from "../../../../tests/support/endurance.ts";
import { fixturesIn } from "../../testing/fixtures.ts";
import { readDocument } from "../../testing/reading.ts";

/** Single-file documents small enough to be mutated hundreds of times. */
const documents = fixturesIn("valid")
  .filter(({ document, files }) => document.length < 30_000 && Object.keys(files).length === 0)
  .map(({ name, document }) => ({ name, value: parse(document, { merge: false }) as unknown }));

interface MutableLocation {
  holder: Record<string, unknown>;
  key: string;
}

function findLocations(value: unknown, found: MutableLocation[] = []): MutableLocation[] {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push({ holder: value as Record<string, unknown>, key });
    findLocations((value as Record<string, unknown>)[key], found);
  }
  return found;
}

type Change = (location: MutableLocation) => void;
const changes: Change[] = [
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  ({ holder, key }) => {
    holder[key] = 42;
  },
  ({ holder, key }) => {
    holder[key] = null;
  },
  ({ holder, key }) => {
    holder[key] = [];
  },
  ({ holder, key }) => {
    holder[key] = {};
  },
  ({ holder, key }) => {
    if (Array.isArray(holder)) return;
    const value = holder[key];
    delete holder[key];
    holder[`${key}y`] = value;
  },
];

test("every document that the standard's schema refuses has a diagnostic, and the reader never fails", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: documents.length - 1 }),
      fc.nat(),
      fc.nat({ max: changes.length - 1 }),
      async (documentIndex, locationIndex, changeIndex) => {
        const value = structuredClone(documents[documentIndex]!.value);
        const locations = findLocations(value);
        changes[changeIndex]!(locations[locationIndex % locations.length]!);
        await setImmediate();
        const { inspection } = await readDocument({ document: JSON.stringify(value) });
        if (inspection.problems.length > 0) return;
        const version = inspection.specificationVersion as SpecificationVersion;
        expect(inspection.usable).toBe(true);
        expect(standardSchema(version)(value)).toBe(true);
      },
    ),
    { numRuns: repetitions(150, 1_500), seed: 20_260_115 },
  );
});

test("O12: bytes changed at random in real documents never crash the reader", async () => {
  const texts = fixturesIn("valid").filter(({ document }) => document.length < 70_000);
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: texts.length - 1 }),
      fc.array(
        fc.tuple(
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom(
            "{",
            "}",
            "[",
            "]",
            '"',
            ":",
            "\n",
            " ",
            "*",
            "&",
            "-",
            "$ref",
            "null",
            "\\",
            "\u2028",
            "9e999",
          ),
          fc.nat({ max: 30 }),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      async (index, edits) => {
        let { document } = texts[index]!;
        for (const [where, inserted, removed] of edits) {
          const at = Math.floor(where * document.length);
          document = document.slice(0, at) + inserted + document.slice(at + removed);
        }
        await setImmediate();
        const { inspection } = await readDocument({ document, fileName: texts[index]!.fileName });
        if (!inspection.usable) expect(inspection.problems.length).toBeGreaterThan(0);
        for (const { line, column, message } of inspection.problems) {
          expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
          expect(message).not.toMatch(/undefined|\[object/);
        }
      },
    ),
    { numRuns: repetitions(200, 5_000), seed: 20_260_116 },
  );
});
