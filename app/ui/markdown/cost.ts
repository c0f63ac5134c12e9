export interface Split {
  /** The part whose Markdown is worth its cost. */
  formatted: string;
  /** What follows, to be shown as it was written. */
  rest: string;
  /** Of the formatted part. */
  cost: number;
}

/** Where a parser has something to do; between them it only copies. */
const mark = /[*_`~<>&[\]!|\\\n\r@]|:\/\/|www\./g;

/**
 * Cuts where a text's marks exceed a number, at the blank line before if there is one. The parser's and the sanitizer's
 * time grows with marks, and not with the square of anything: this bounds both, without a clock.
 */
export function splitAtCost(text: string, mostMarks: number): Split {
  let cost = 0;
  let from = 0;
  const blank = /\n[ \t]*\r?\n/g;
  for (;;) {
    const end = blank.exec(text) ? blank.lastIndex : text.length;
    const block = text.slice(from, end);
    const blockCost = costOf(block);
    if (cost + blockCost > mostMarks) return { formatted: text.slice(0, from), rest: text.slice(from), cost };
    cost += blockCost;
    from = end;
    if (end === text.length) return { formatted: text, rest: "", cost };
  }
}

/** Rows of a table are filled up to its widest, so that cells are what it costs, and not what is written of them. */
function costOf(block: string): number {
  const marks = block.match(mark)?.length ?? 0;
  if (!block.includes("|")) return marks;
  const lines = block.split("\n");
  const widest = lines.reduce((most, line) => Math.max(most, line.match(/\|/g)?.length ?? 0), 0);
  return Math.max(marks, widest * lines.length);
}

/** Text as it was written, with its paragraphs. */
export function paragraphsOf(text: string): string {
  return `<p>${escapeText(text.trim())
    .split(/\r?\n[ \t]*\r?\n/)
    .join("</p>\n<p>")}</p>`;
}

/** Quotation marks need no escape outside of attributes, and each costs the sanitizer as much as an element. */
export function escapeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
