export interface Split {
  /** The part that is formatted as Markdown. */
  formatted: string;
  /** The rest, displayed as plain text. */
  rest: string;
  /** Cost of the formatted part. */
  cost: number;
}

/** Characters with a meaning for the parser; between them it only copies. */
const mark = /[*_`~<>&[\]!|\\\n\r@]|:\/\/|www\./g;

/**
 * Cuts a text at its maximum number of marks, at the preceding blank line if there is one. The time of the parser and
 * the sanitizer is linear in the marks: this bounds both, without a clock.
 */
export function splitAtCost(text: string, maxMarks: number): Split {
  let cost = 0;
  let from = 0;
  const blank = /\n[ \t]*\r?\n/g;
  for (;;) {
    const end = blank.exec(text) ? blank.lastIndex : text.length;
    const block = text.slice(from, end);
    const blockCost = getCost(block);
    if (cost + blockCost > maxMarks) return { formatted: text.slice(0, from), rest: text.slice(from), cost };
    cost += blockCost;
    from = end;
    if (end === text.length) return { formatted: text, rest: "", cost };
  }
}

/** Rows of a table are padded to its widest, so that its cost is the number of cells, and not of the written ones. */
function getCost(block: string): number {
  const marks = block.match(mark)?.length ?? 0;
  if (!block.includes("|")) return marks;
  const lines = block.split("\n");
  const widest = lines.reduce((max, line) => Math.max(max, line.match(/\|/g)?.length ?? 0), 0);
  return Math.max(marks, widest * lines.length);
}

/** Plain text with its paragraphs. */
export function toParagraphs(text: string): string {
  return `<p>${escapeText(text.trim())
    .split(/\r?\n[ \t]*\r?\n/)
    .join("</p>\n<p>")}</p>`;
}

/** Quotation marks need no escape outside of attributes, and each costs the sanitizer as much as an element. */
export function escapeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
