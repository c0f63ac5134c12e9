import { style } from "@vanilla-extract/css";
import { screen } from "~/styles/tokens.css";
import { comparisonWords, sourceWords } from "../assertion-words.ts";

export const row = style({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)" });

const options = (values: string[]) => `option:is(${values.map((value) => `[value=${value}]`).join(", ")}):checked`;

const withoutProperty = Object.entries(sourceWords).flatMap(([name, { property }]) => (property ? [] : [name]));
const withoutTarget = Object.entries(comparisonWords).flatMap(([name, { target }]) =>
  target === "none" ? [name] : [],
);

/** Keeps its place where cells stand side by side, so that columns stay in line. */
const outOfSight = { visibility: "hidden", "@media": { [screen.narrow]: { display: "none" } } } as const;

export const property = style({ selectors: { [`${row}:has(${options(withoutProperty)}) &`]: outOfSight } });

export const target = style({ selectors: { [`${row}:has(${options(withoutTarget)}) &`]: outOfSight } });
