const textual =
  /^(text\/|application\/(.*\+)?(json|xml|yaml|x-yaml|javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl|problem|sql|toml|csv|jwt|jose|ld|hal|http)\b|image\/svg\+xml|multipart\/|message\/)/i;

/**
 * A body as text by its declared charset, or null when it is not text. Without a telling content type it is text when
 * it is UTF-8 without control characters, so that a forgotten header does not hide the answer.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string | null {
  if (body.length === 0) return "";
  if (contentType !== undefined && textual.test(contentType.trim())) {
    const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
    return decoderFor(charset).decode(body);
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

const utf8 = new TextDecoder();

function decoderFor(charset: string): TextDecoder {
  if (/^utf-?8$/i.test(charset)) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    return utf8;
  }
}
