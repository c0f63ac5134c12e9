// CommonJS: Node only provides its functions by the default import.
import aws4, { type Request } from "aws4";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";

export interface SignedParts {
  headers: [string, string][];
  /** Derived from the secret access key. */
  signature: string;
}

/** aws4 would add a body's type and length if the request has none; they are not sent, or set by egress. */
const leftOut: Record<string, true> = { "content-length": true, "content-type": true };

/**
 * The headers that sign a request for AWS (Signature Version 4). Signed are host, content type, the test's own `x-amz-`
 * headers, and the body: the rest may be changed in transit.
 */
export function signForAws(
  request: { method: string; url: string; headers: readonly [string, string][]; body: Uint8Array | string | undefined },
  { accessKeyId = "", region, service }: CredentialSettings,
  secretAccessKey: string,
  now: Date,
): SignedParts {
  const { host, pathname, search } = new URL(request.url);
  const given = request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name === "content-type" || (name.startsWith("x-amz-") && name !== "x-amz-date"));
  const date = now.toISOString().replace(/[:-]|\.\d{3}/g, "");
  const unsigned: Request & { extraHeadersToIgnore: Record<string, true> } = {
    method: request.method,
    host,
    path: pathname + search,
    headers: { ...Object.fromEntries(given), host, "x-amz-date": date },
    // It hashes bytes, too.
    body: request.body as string | undefined,
    region,
    service,
    extraHeadersToIgnore: given.some(([name]) => name === "content-type") ? { "content-length": true } : leftOut,
  };
  const signed = aws4.sign(unsigned, { accessKeyId, secretAccessKey });
  const headers = signed.headers as Record<string, string>;
  const authorization = headers.Authorization!;
  const checksum = headers["X-Amz-Content-Sha256"];
  return {
    headers: [
      ["x-amz-date", date],
      ...(checksum ? [["x-amz-content-sha256", checksum] as [string, string]] : []),
      ["authorization", authorization],
    ],
    signature: authorization.slice(authorization.lastIndexOf("=") + 1),
  };
}
