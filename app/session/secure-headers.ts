/** Headers of every page. Inline styles are allowed as attributes only (plots and progress bars set their sizes). */
export function secureHeaders(options: {
  nonce: string;
  requestId: string;
  secure: boolean;
  development: boolean;
  /** The address contains a token from a mail, so it is sent in no Referer header. */
  holdsToken: boolean;
  /** Origins of the human check provider, which adds its own frame. */
  humanCheckOrigin?: string | undefined;
}): Record<string, string> {
  const connect = options.development
    ? "'self' ws:"
    : `'self'${options.humanCheckOrigin ? ` ${options.humanCheckOrigin}` : ""}`;
  const style = options.development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${options.nonce}'`;
  return {
    "content-security-policy": [
      "default-src 'self'",
      `script-src 'nonce-${options.nonce}' 'strict-dynamic'`,
      `style-src ${style}`,
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data:",
      `connect-src ${connect}`,
      ...(options.humanCheckOrigin ? [`frame-src ${options.humanCheckOrigin}`] : []),
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join("; "),
    "x-content-type-options": "nosniff",
    // Not `no-referrer`, with which browsers send forms without their origin.
    "referrer-policy": options.holdsToken ? "strict-origin" : "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-request-id": options.requestId,
    ...(options.secure ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}
