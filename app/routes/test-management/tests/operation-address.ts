import type { OperationKey } from "~/features/operation/operation-key";

/**
 * The operation named by the address of the create page. Read from the address itself: the router decodes `%252F` in a parameter to
 * `/`, though it stands for a path with `%2F` in it. A proxy that decoded `%2F` on the way made segments of the path, which are
 * taken together again.
 */
export function operationOfAddress(url: string): OperationKey | undefined {
  const [, rest] = /\/tests\/create\/(.+)$/.exec(new URL(url).pathname) ?? [];
  const cut = rest?.lastIndexOf("/") ?? -1;
  if (!rest || cut < 1) return undefined;
  try {
    const path = decodeURIComponent(rest.slice(0, cut));
    const method = decodeURIComponent(rest.slice(cut + 1));
    return path && method ? { method, path: path.startsWith("/") ? path : `/${path}` } : undefined;
  } catch {
    return undefined;
  }
}
