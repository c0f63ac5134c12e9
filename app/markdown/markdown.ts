import { marked } from "marked";
import sanitizeHtml from "sanitize-html";

/** Longer descriptions are cut: Markdown of a hostile document must not cost seconds. */
export const maximumMarkdownLength = 100_000;

export interface MarkdownOptions {
  /** Heading level that `#` becomes, so that a description never breaks the page's outline. */
  topHeadingLevel?: 2 | 3 | 4 | 5;
}

/** Nothing in such text is Markdown, and most descriptions are: skipping both libraries makes them 100 times cheaper. */
const plainText = /^[^*_`#<>&[\]!|~\\\n\r:@]*$/;
const leadsOutside = /^(?:https?:\/\/|mailto:)/i;

/**
 * CommonMark with GitHub's tables, as HTML in which nothing runs: a short list of elements, no attributes but those of
 * links and tables, links that only lead outside over http, https or mailto. Images become links, so that opening a page
 * tells nobody.
 */
export function renderMarkdown(source: string, options: MarkdownOptions = {}): string {
  const text = source.trim();
  if (!text) return "";
  if (plainText.test(text) && !/^(?:\d+[.)]|[-+=]) ?/.test(text)) return `<p>${text}</p>`;
  const cut = text.length > maximumMarkdownLength ? `${text.slice(0, maximumMarkdownLength)}…` : text;
  if (emphasisCost(cut) > maximumEmphasisCost) return paragraphs(cut);
  let html: string;
  try {
    html = marked.parse(cut, { async: false, gfm: true });
  } catch (error) {
    // Thousands of nested quotes or lists overflow the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    return paragraphs(cut);
  }
  return sanitize(html, options.topHeadingLevel ?? 3).trim();
}

/**
 * The parser's time for emphasis grows with the square of the marks in one block: 1,300 take 0.15 s, 13,000 take 9 s.
 * No description written for people comes near 600 in a block.
 */
const maximumEmphasisCost = 600 ** 2;

function emphasisCost(text: string): number {
  return text
    .split(/\n[ \t]*\r?\n/)
    .map((block) => block.match(/[*_~]/g)?.length ?? 0)
    .reduce((cost, marks) => cost + marks ** 2, 0);
}

function paragraphs(text: string): string {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return `<p>${escaped.split(/\r?\n[ \t]*\r?\n/).join("</p>\n<p>")}</p>`;
}

function sanitize(html: string, topHeadingLevel: number): string {
  const headings = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `h${Math.min(6, topHeadingLevel + level - 1)}`]),
  );
  return sanitizeHtml(html, {
    allowedTags: [
      ..."a abbr b blockquote br code dd del dl dt em h2 h3 h4 h5 h6 hr i kbd li ol p pre s span strong sub sup".split(
        " ",
      ),
      ..."table tbody td tfoot th thead tr u ul".split(" "),
    ],
    allowedAttributes: { a: ["href", "rel"], ol: ["start"], td: ["colspan", "rowspan"], th: ["colspan", "rowspan"] },
    allowedSchemes: ["http", "https", "mailto"],
    allowProtocolRelative: false,
    nestingLimit: 50,
    transformTags: {
      ...headings,
      a: (_tag, { href }) => linkTo(href),
      img: (_tag, { src, alt }) => ({ ...linkTo(src), text: alt || "Image" }),
    },
  });
}

/** A relative address would lead into this portal instead of to the API's own pages, so it is no link. */
function linkTo(href: string | undefined): sanitizeHtml.Tag {
  if (!href || !leadsOutside.test(href)) return { tagName: "span", attribs: {} };
  return { tagName: "a", attribs: { href, rel: "noopener noreferrer nofollow" } };
}
