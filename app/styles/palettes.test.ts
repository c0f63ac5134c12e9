import { expect, test } from "vitest";
import { contrastRatio } from "./contrast.ts";
import { methodPalettes } from "./method-palettes.ts";
import { dark, darkMoreContrast, light, lightMoreContrast, type Palette } from "./palettes.ts";
import { plotPalettes } from "./plot-palettes.ts";
import { syntaxPalettes } from "./syntax-palettes.ts";

const everyday: Record<string, Palette> = { light, dark };
const moreContrast: Record<string, Palette> = { lightMoreContrast, darkMoreContrast };
const tones = ["neutral", "success", "warning", "danger", "info"] as const;

/** Every pair of text and background in use. */
function textPairs(palette: Palette): [string, string, string][] {
  const inks = ["ink", "inkSoft", "inkFaint", "accent"] as const;
  const grounds = ["page", "surface", "sunken"] as const;
  return [
    ...inks.flatMap((ink) =>
      grounds.map((ground): [string, string, string] => [`${ink} on ${ground}`, palette[ink], palette[ground]]),
    ),
    ...tones.flatMap((tone): [string, string, string][] => [
      [`${tone}.ink on its soft`, palette[tone].ink, palette[tone].soft],
      [`ink on ${tone}.soft`, palette.ink, palette[tone].soft],
      [`inkSoft on ${tone}.soft`, palette.inkSoft, palette[tone].soft],
      ...grounds.map((ground): [string, string, string] => [
        `${tone}.ink on ${ground}`,
        palette[tone].ink,
        palette[ground],
      ]),
    ]),
    ["ink on accentSoft", palette.ink, palette.accentSoft],
    ["accent on accentSoft", palette.accent, palette.accentSoft],
    ["onAction on action", palette.onAction, palette.action],
    ["onAction on actionHover", palette.onAction, palette.actionHover],
    ["onDanger on danger.solid", palette.onDanger, palette.danger.solid],
  ];
}

function below(palette: Palette, least: number): string[] {
  return textPairs(palette)
    .filter(([, ink, ground]) => contrastRatio(ink, ground) < least)
    .map(([pair, ink, ground]) => `${pair}: ${contrastRatio(ink, ground).toFixed(2)}`);
}

test.each(Object.entries(everyday))("text in %s keeps 4.5:1 (WCAG AA)", (_name, palette) => {
  expect(below(palette, 4.5)).toEqual([]);
});

test.each(Object.entries(moreContrast))("text in %s keeps 7:1 (WCAG AAA)", (_name, palette) => {
  expect(below(palette, 7)).toEqual([]);
});

test.each(Object.entries({ ...everyday, ...moreContrast }))(
  "field borders, focus and solid state areas in %s keep 3:1 on every background",
  (_name, palette) => {
    const shapes = [palette.lineControl, palette.accent, ...tones.map((tone) => palette[tone].solid)];
    for (const ground of [palette.page, palette.surface])
      for (const shape of shapes)
        expect(contrastRatio(shape, ground), `${shape} on ${ground}`).toBeGreaterThanOrEqual(3);
  },
);

test("black on white is the largest ratio there is", () => {
  expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21, 5);
});

test.each([
  ["light", 4.5],
  ["dark", 4.5],
  ["lightMoreContrast", 7],
  ["darkMoreContrast", 7],
] as const)("code in %s keeps %d:1, also on a marked line", (theme, least) => {
  const palette = { ...everyday, ...moreContrast }[theme]!;
  const grounds = [palette.surface, palette.sunken, ...tones.map((tone) => palette[tone].soft)];
  for (const ink of Object.values(syntaxPalettes[theme]))
    for (const ground of grounds)
      expect(contrastRatio(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(least);
});

test.each(["light", "dark", "lightMoreContrast", "darkMoreContrast"] as const)(
  "plotted series in %s keep 3:1",
  (theme) => {
    const { surface } = { ...everyday, ...moreContrast }[theme]!;
    for (const series of Object.values(plotPalettes[theme]))
      expect(contrastRatio(series, surface), `${series} on ${surface}`).toBeGreaterThanOrEqual(3);
  },
);

test.each([
  ["light", 4.5],
  ["dark", 4.5],
  ["lightMoreContrast", 7],
  ["darkMoreContrast", 7],
] as const)("names of methods in %s keep %d:1 on their tint, and differ", (theme, least) => {
  const tints = Object.values(methodPalettes[theme]);
  for (const { ink, soft } of tints)
    expect(contrastRatio(ink, soft), `${ink} on ${soft}`).toBeGreaterThanOrEqual(least);
  expect(new Set(tints.map(({ ink }) => ink)).size).toBe(tints.length);
});
