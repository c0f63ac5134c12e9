import type { Authenticate } from "../../kit/identity/identity.ts";
import { isFromOurService } from "../../kit/service/visitor-address.ts";

export interface SigningInClient {
  /** The visitor's address as the portal saw it; undefined for whoever calls directly. */
  address: string | undefined;
  userAgent: string;
}

const longestUserAgent = 300;

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed.
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, longestUserAgent);
}

/** Who signs in. Address and user agent of a visitor are believed only from the portal. */
export async function readClient(request: Request, authenticate: Authenticate): Promise<SigningInClient> {
  const { headers } = request;
  const userAgent = oneLine(headers.get("user-agent") ?? "");
  if (!(await isFromOurService(request, authenticate))) return { address: undefined, userAgent };
  return {
    address: headers.get("x-client-address") ?? undefined,
    userAgent: headers.has("x-user-agent") ? oneLine(headers.get("x-user-agent") ?? "") : userAgent,
  };
}
