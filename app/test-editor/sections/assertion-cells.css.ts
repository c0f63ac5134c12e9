import { style } from "@vanilla-extract/css";
import { screen } from "~/styles/tokens.css";
import { comparisonWords, sourceWords } from "../assertion-words.ts";

export const row = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)" });

const options = (values: string[]) => `option:is(${values.map((value) => `[value=${value}]`).join(", ")}):checked`;

const withoutProperty = Object.entries(sourceWords).flatMap(([name, { property }]) => (property ? [] : [name]));
const withoutTarget = Object.entries(comparisonWords).flatMap(([name, { target }]) =>
  target === "none" ? [name] : [],
);

const gone = { display: "none" } as const;

const lacksProperty = `${row}:has(${options(withoutProperty)}) &`;
const isSchema = `${row}:has(${options(["schema"])}) &`;
const lacksTarget = `${row}:has(${options(withoutTarget)}) &`;

/** Takes the room of the property where the source has none, so that columns stay in line. */
export const source = style({
  selectors: { [lacksProperty]: { "@media": { [screen.wide]: { gridColumn: "span 2" } } } },
});

export const property = style({ selectors: { [lacksProperty]: gone } });

/** Likewise for what is expected, with how it is read. */
export const comparison = style({
  selectors: { [lacksTarget]: { "@media": { [screen.wide]: { gridColumn: "span 3" } } }, [isSchema]: gone },
});

export const target = style({
  selectors: { [lacksTarget]: gone, [isSchema]: { "@media": { [screen.wide]: { gridColumn: "auto" } } } },
});
