const previewBytes = 256;

/** The first bytes of a body that is not text, in lines of 16. */
export function previewBody(body: Uint8Array): string {
  const bytes = [...body.subarray(0, previewBytes)].map((byte) => byte.toString(16).padStart(2, "0"));
  return Array.from({ length: Math.ceil(bytes.length / 16) }, (_, line) =>
    bytes.slice(line * 16, line * 16 + 16).join(" "),
  ).join("\n");
}

/** The beginning of a body, not ending within a character of UTF-8. */
export function cutBody(body: Uint8Array, maxBytes: number): Uint8Array {
  if (body.length <= maxBytes) return body;
  let end = maxBytes;
  while (end > maxBytes - 4 && (body[end]! & 0xc0) === 0x80) end -= 1;
  return body.subarray(0, end);
}
