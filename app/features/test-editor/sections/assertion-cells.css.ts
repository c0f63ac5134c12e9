import { style } from "@vanilla-extract/css";
import { comparisonWords, sourceWords } from "../assertion-words.ts";
import { roomy } from "./row-cells.css.ts";

export const row = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)" });

const options = (values: string[]) => `option:is(${values.map((value) => `[value=${value}]`).join(", ")}):checked`;

const withoutProperty = Object.entries(sourceWords).flatMap(([name, { property }]) => (property ? [] : [name]));
const withoutTarget = Object.entries(comparisonWords).flatMap(([name, { target }]) =>
  target === "none" ? [name] : [],
);

const gone = { display: "none" } as const;

const lacksProperty = `${row}:has(${options(withoutProperty)}) &`;
/** The schema source has one comparison, so it needs no choice. */
const isSchema = `${row}:has(${options(["schema"])}) &`;
const lacksTarget = `${row}:has(${options(withoutTarget)}) &`;

/** Above this width, a source without a property takes one line: narrower fields would cut their words. */
const spacious = "(min-width: 34rem)";

const columns = (count: number, spaciousCount = count) => ({
  "@container": {
    [roomy]: { gridColumn: `span ${count}` },
    [spacious]: { gridColumn: `span ${spaciousCount}` },
  },
});

/** Twelve columns: a source with a property takes two lines. */
export const source = style([columns(4), { selectors: { [lacksProperty]: columns(6, 3) } }]);

export const property = style([columns(8), { selectors: { [lacksProperty]: gone } }]);

/** Placeholder for a missing target, so that columns stay aligned. */
export const comparison = style([
  columns(4),
  { selectors: { [lacksProperty]: columns(6, 3), [lacksTarget]: columns(8), [isSchema]: gone } },
]);

export const target = style([
  columns(4, 5),
  { selectors: { [lacksProperty]: columns(8, 3), [isSchema]: columns(8, 6), [lacksTarget]: gone } },
]);

export const type = style([columns(4, 3), { selectors: { [lacksTarget]: gone } }]);
