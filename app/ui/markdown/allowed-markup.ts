import sanitizeHtml from "sanitize-html";

const leadsOutside = /^(?:https?:\/\/|mailto:)/i;

/**
 * Reduces HTML to a short list of elements, no attributes except those of links and tables, and links to external http,
 * https or mailto addresses. Images become links, so that opening a page makes no request to third parties.
 */
export function sanitizeMarkup(html: string, topHeadingLevel: number): string {
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

/** A relative address would lead into this portal instead of the API's own pages, so it is no link. */
function linkTo(href: string | undefined): sanitizeHtml.Tag {
  if (!href || !leadsOutside.test(href)) return { tagName: "span", attribs: {} };
  return { tagName: "a", attribs: { href, rel: "noopener noreferrer nofollow" } };
}
