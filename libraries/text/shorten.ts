/** Created once needed: islands that shorten nothing load without it. */
let characters: Intl.Segmenter | undefined;

/** Longest character that is not cut, in UTF-16 units: a family with skin tones has 35. */
const longestCharacter = 64;

/** At most `maxLength` UTF-16 units, with "…" at its end where something is missing. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const around = text.slice(Math.max(0, maxLength - longestCharacter), maxLength + longestCharacter);
  const offset = Math.max(0, maxLength - longestCharacter);
  characters ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const end = offset + characters.segment(around).containing(maxLength - 1 - offset)!.index;
  const kept = text.slice(0, end);
  const isWordCut = /\S/.test(kept.at(-1) ?? " ") && /\S/.test(text[end]!);
  const space = isWordCut ? kept.search(/\s\S*$/) : -1;
  return `${(space >= (2 * end) / 3 ? kept.slice(0, space) : kept).trimEnd()}…`;
}

/** The ending stays whole. */
export function shortenBefore(text: string, ending: string, maxLength: number): string {
  return `${shorten(text, maxLength - ending.length)}${ending}`;
}
