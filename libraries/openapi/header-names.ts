/** OpenAPI ignores parameters of these names: content, security and the rest of the document describe them. */
const elsewhere = new Set(["accept", "content-type", "authorization"]);

/** They frame the message or belong to the connection, so clients set them themselves. */
const framing = new Set([
  ...["host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "upgrade"],
  ...["expect", "te", "trailer", "http2-settings"],
]);

export function isDescribedElsewhere(headerName: string): boolean {
  return elsewhere.has(headerName.toLowerCase());
}

export function isFraming(headerName: string): boolean {
  return framing.has(headerName.toLowerCase());
}
