/**
 * Writes `app/styles/geist.woff2` from the package of the face: Latin letters, weights 400 to 650. Run it after the face
 * has a new version; the file is committed, so that a build needs neither the package nor HarfBuzz.
 *
 *     npm install --no-save @fontsource-variable/geist subset-font && node scripts/subset-font.js
 */
import { readFileSync, writeFileSync } from "node:fs";
import subsetFont from "subset-font";

const face = "node_modules/@fontsource-variable/geist";
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
];
const others = "–—‘’“”…•→←↑↓≥≤≠−€™ŒœŠšŽžŸ";
const letters = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
const text = String.fromCodePoint(...letters) + others;

const whole = readFileSync(`${face}/files/geist-latin-wght-normal.woff2`);
const subset = await subsetFont(whole, text, {
  targetFormat: "woff2",
  variationAxes: { wght: { min: 400, max: 650 } },
});
writeFileSync("app/styles/geist.woff2", subset);
writeFileSync("app/styles/geist.LICENSE.txt", readFileSync(`${face}/LICENSE`));
process.stdout.write(`geist.woff2: ${subset.length} bytes\n`);
