import type { Authenticate } from "../../kit/identity/identity.ts";
import { isFromOurService } from "../../kit/service/visitor-address.ts";

export interface SigningInClient {
  /** The visitor's address as the portal saw it; undefined for direct callers. */
  address: string | undefined;
  userAgent: string;
}

const longestUserAgent = 300;

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters.
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, longestUserAgent);
}

/** The client that signs in. A visitor's address and user agent are accepted only from the portal. */
export async function readClient(request: Request, authenticate: Authenticate): Promise<SigningInClient> {
  const { headers } = request;
  const userAgent = oneLine(headers.get("user-agent") ?? "");
  if (!(await isFromOurService(request, authenticate))) return { address: undefined, userAgent };
  return {
    address: headers.get("x-client-address") ?? undefined,
    userAgent: headers.has("x-user-agent") ? oneLine(headers.get("x-user-agent") ?? "") : userAgent,
  };
}
