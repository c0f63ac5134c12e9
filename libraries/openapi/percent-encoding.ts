/** A lone surrogate has no UTF-8 form and would make encodeURIComponent throw; it is sent as U+FFFD, as browsers do. */
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** RFC 3986: encodes everything except unreserved characters and `!'()*`. */
export function encodePart(text: string): string {
  return encodeURIComponent(text.replace(loneSurrogate, "\ufffd"));
}

/**
 * For `allowReserved`: preserves percent-encoded characters and reserved ones, except those that would end the value.
 */
export function encodeReserved(text: string): string {
  return text.replace(/%[\da-f]{2}|[:/?@$,;=]|[^:/?@$,;=%]+|%/gi, (part) =>
    /^(%[\da-f]{2}|[:/?@$,;=])$/i.test(part) ? part : encodePart(part),
  );
}

/** For `allowReserved` in a path (3.2), where a value must not contain `/`, `?` or `#`, nor brackets (RFC 3986, 3.3). */
export function encodeReservedInPath(text: string): string {
  return text.replace(/%[\da-f]{2}|[:@$&+,;=]|[^:@$&+,;=%]+|%/gi, (part) =>
    /^(%[\da-f]{2}|[:@$&+,;=])$/i.test(part) ? part : encodePart(part),
  );
}

/** For a whole query whose form is not OpenAPI's: encodes what a query can't have; reserved characters stay. */
export function encodeQuery(text: string): string {
  return text.replace(/%(?![\da-f]{2})|[^\x21\x24-\x3b\x3d\x3f-\x5a\x5f\x61-\x7a\x7e]+/gi, encodePart);
}

/** Encodes what a path can't have; reserved characters and percent signs stay. */
export function encodePath(text: string): string {
  const encoded = text.replace(/[^\x21\x24-\x7e]+/g, encodePart);
  return encoded.startsWith("/") ? encoded : `/${encoded}`;
}

/** Parts of a query as they are sent: the URL standard encodes an apostrophe there, and only there. */
export function joinQuery(parts: readonly string[]): string {
  return parts.join("&").replaceAll("'", "%27");
}

/** `application/x-www-form-urlencoded`: a space is `+`. */
export function encodeFormPart(text: string): string {
  return encodePart(text)
    .replace(/%20/g, "+")
    .replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** RFC 6265 cookie-octet: percent-encodes all other characters. */
export function encodeCookiePart(text: string): string {
  return text.replace(/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g, encodePart);
}
