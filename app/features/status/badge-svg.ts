import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { formatShare } from "~/features/trends/trend-words";
import { light } from "~/styles/palettes";
import type { Tone } from "~/ui/tone";
import { shareTone, statusWords } from "./status-words";
import { escaped } from "./xml-text";

export const badgeKinds = ["standing", "availability"] as const;
export type BadgeKind = (typeof badgeKinds)[number];

const maxCharacters = 40;
/** Average width of an 11-pixel letter; `textLength` then sets the exact width. */
const characterPixels = 6.6;
const padding = 8;
const height = 20;

/** An SVG badge for a README: the status, or the success rate of 30 days. */
export function badgeSvg(status: PublishedStatus, kind: BadgeKind): string {
  const { tone, word } = toWords(status, kind);
  const { title } = status;
  const label = shorten(title, maxCharacters);
  const widths = [label, word].map((text) => Math.ceil(text.length * characterPixels));
  const [labelWidth, wordWidth] = widths.map((width) => width + 2 * padding) as [number, number];
  const text = (words: string, x: number, width: number) =>
    `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${labelWidth + wordWidth}" height="${height}" role="img" aria-label="${escaped(`${label}: ${word}`)}">`,
    `<title>${escaped(`${label}: ${word}`)}</title>`,
    `<rect width="${labelWidth + wordWidth}" height="${height}" rx="3" fill="${light.ink}"/>`,
    `<path d="M${labelWidth} 0h${wordWidth - 3}a3 3 0 0 1 3 3v${height - 6}a3 3 0 0 1-3 3h-${wordWidth - 3}z" fill="${light[tone].ink}"/>`,
    `<g fill="${light.surface}" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    text(label, padding, widths[0]!),
    text(word, labelWidth + padding, widths[1]!),
    "</g></svg>",
  ].join("");
}

function toWords(status: PublishedStatus, kind: BadgeKind): { tone: Tone; word: string } {
  if (kind === "standing") return statusWords[status.standing];
  const { share30 } = status;
  return {
    tone: shareTone(share30, status),
    word: share30 === null ? "not checked" : `${formatShare(share30)} in 30 days`,
  };
}
