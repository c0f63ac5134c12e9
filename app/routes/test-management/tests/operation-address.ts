import type { OperationKey } from "~/features/operation/operation-key";

/**
 * The operation in the address of the create page. Parsed from the raw address: the router decodes `%252F` in a
 * parameter to `/`, although it stands for a path that contains `%2F`. A proxy that decoded `%2F` turned the path into
 * segments, which are joined again.
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
