import MarkdownIt from "markdown-it";
import { sanitizeMarkup } from "./allowed-markup.ts";
import { linkBareAddresses } from "./bare-addresses.ts";
import { escapeText, splitAtCost, toParagraphs } from "./cost.ts";

export interface MarkdownOptions {
  /** Heading level of `#`, so that a description never breaks the page's outline. */
  topHeadingLevel?: 2 | 3 | 4 | 5;
}

export type RenderMarkdown = (source: string, options?: MarkdownOptions) => string;

/** Maximum of formatted marks per description, some 40 pages of ordinary text. The rest is displayed as written. */
export const maxMarks = 3_000;
/** Maximum of marks and characters of all descriptions of one page. */
const maxMarksPerPage = 9_000;
const maxCharactersPerPage = 300_000;
/** Longer descriptions are truncated. */
export const maximumMarkdownLength = 100_000;
const shortestCut = 500;

/**
 * Text without any of these is no Markdown, which most descriptions are: skipping both libraries makes them 100 times
 * cheaper.
 */
const plainText = /^[^*_`#<>&[\]!|~\\\n\r:@]*$/;
const beginsBlock = /^(?:\d+[.)]|[-+=]) ?/;

const parser = new MarkdownIt({ html: true });
parser.core.ruler.at("linkify", linkBareAddresses);
// The list of allowed markup alone decides about links.
parser.validateLink = () => true;
parser.renderer.rules.text = (tokens, index) => escapeText(tokens[index]!.content);

/**
 * CommonMark with GitHub's tables and bare addresses, as HTML without anything executable. One renderer serves one
 * page: its descriptions share a budget, so that no document can block the event loop for longer.
 */
export function createMarkdownRenderer(): RenderMarkdown {
  let marksLeft = maxMarksPerPage;
  let charactersLeft = maxCharactersPerPage;
  return (source, { topHeadingLevel = 3 } = {}) => {
    const text = cut(source.trim(), Math.max(shortestCut, Math.min(maximumMarkdownLength, charactersLeft)));
    charactersLeft -= text.length;
    if (!text) return "";
    if (plainText.test(text) && !beginsBlock.test(text)) return `<p>${text}</p>`;
    const { formatted, rest, cost } = splitAtCost(text, Math.min(maxMarks, marksLeft));
    marksLeft -= cost;
    const html = formatted && sanitizeMarkup(parser.render(formatted), topHeadingLevel).trim();
    return rest ? `${html}${html && "\n"}${toParagraphs(rest)}` : html;
  };
}

/** A single description on its page. */
export const renderMarkdown: RenderMarkdown = (source, options) => createMarkdownRenderer()(source, options);

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
