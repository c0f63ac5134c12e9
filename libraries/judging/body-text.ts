const textual =
  /^(text\/|application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl|problem|sql|toml|csv|jwt|jose|ld|hal|http)\b|image\/svg\+xml|multipart\/|message\/)/i;

/**
 * A body as text by its declared charset, or null when it is not text. Without a conclusive content type it is text
 * when it is UTF-8 without control characters, so that a missing header does not hide the response.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string | null {
  if (body.length === 0) return "";
  if (contentType !== undefined && textual.test(contentType.trim())) {
    const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
    const text = decoderFor(charset).decode(body);
    return isMostlyUnreadable(text) ? null : text;
  }
  const looksBinary = contentType !== undefined && /^(image|audio|video|font)\//i.test(contentType.trim());
  if (looksBinary) return null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters tell binary content
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/**
 * Whether a text is so unreadable that its bytes are more useful. As JSON each control character takes six bytes and
 * each replacement character three, so that such a body would cost several times as much as letters.
 */
function isMostlyUnreadable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is counted
  const unreadable = text.match(/[\0-\x08\x0b\x0e-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return unreadable > 8 && unreadable > text.length / 10;
}

const utf8 = new TextDecoder();

function decoderFor(charset: string): TextDecoder {
  if (/^utf-?8$/i.test(charset)) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return utf8;
  }
}
