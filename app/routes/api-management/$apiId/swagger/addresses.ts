/** Where the viewer's pages are. Methods and paths go into the query, where every character survives. */
export function viewerAddress(
  apiId: string,
  page: "" | "operations" | "operation" | "webhook" | "schema" | "filter" | "send",
  query: Record<string, string | undefined> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return `/api-management/${apiId}/swagger${page && `/${page}`}${search && `?${search}`}`;
}

export interface OperationKey {
  method: string;
  path: string;
}

export function operationAddress(apiId: string, { method, path }: OperationKey): string {
  return viewerAddress(apiId, "operation", { method, path });
}

/** Where the test editor starts with a valid call of the operation. */
export function createTestAddress(apiId: string, { method, path }: OperationKey): string {
  return `/test-management/${apiId}/tests/create/${encodeURIComponent(path)}/${encodeURIComponent(method)}`;
}
