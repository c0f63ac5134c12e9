import { globalFontFace } from "@vanilla-extract/css";

/**
 * Geist (SIL Open Font License 1.1, `geist.LICENSE.txt`), Latin only and with the weights that are used: 19 KB, written by
 * `scripts/subset-font.js`. It arrives after the text is there.
 */
globalFontFace("Geist", {
  src: 'url("./geist.woff2") format("woff2")',
  fontWeight: "400 650",
  fontDisplay: "swap",
  unicodeRange:
    "U+20-7E, U+A0-FF, U+152-153, U+160-161, U+178, U+17D-17E, U+2013-2014, U+2018-2019, U+201C-201D, U+2022, U+2026, U+20AC, U+2122, U+2190-2193, U+2212, U+2260, U+2264-2265",
});

/** Takes the same room, so that nothing moves when the face arrives: widths and heights of Geist, in the shapes of Arial. */
globalFontFace("Geist until loaded", {
  src: 'local("Arial"), local("Liberation Sans"), local("Roboto")',
  sizeAdjust: "105.8%",
  ascentOverride: "95%",
  descentOverride: "27.9%",
  lineGapOverride: "0%",
});
