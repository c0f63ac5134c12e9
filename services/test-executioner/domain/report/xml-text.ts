/** Characters that XML 1.0 can't contain, even escaped. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A reader turns these into spaces in attributes unless they are escaped.
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/**
 * Text for XML 1.0, in elements and attributes alike. A character that XML forbids is written as an escape such as
 * `\u0000`.
 */
export function xmlText(text: string): string {
  return text
    .replace(forbidden, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"\t\n\r]/g, (character) => escapes[character]!);
}

/** One element; attributes that are undefined are omitted. */
export function xmlElement(
  name: string,
  attributes: Record<string, string | number | undefined>,
  content?: string,
): string {
  const opening = xmlOpening(name, attributes);
  return content === undefined ? `${opening.slice(0, -1)}/>` : `${opening}${xmlText(content)}</${name}>`;
}

export function xmlOpening(name: string, attributes: Record<string, string | number | undefined>): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${xmlText(String(value))}"`);
  return `<${name}${written.join("")}>`;
}
