import type { CollectedRequest, Pair } from "../collection.ts";
import { rewrite } from "./placeholders.ts";

const keep = (name: string) => `{{${name}}}`;

/** Percent-encoded (RFC 3986) but for commas, which separate the items of lists, and for variables. */
export function encodeLiterals(text: string, writeVariable: (name: string) => string = keep): string {
  return rewrite(text, writeVariable, (literal) =>
    encodeURIComponent(literal.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%2C", ","),
  );
}

export function listEnabled<Item extends Pair>(pairs: readonly Item[]): Item[] {
  return pairs.filter(({ enabled }) => enabled);
}

/** The address without its query; path parameters are filled in. */
export function writePath(
  { url, pathParameters }: Pick<CollectedRequest, "url" | "pathParameters">,
  writeVariable: (name: string) => string = keep,
): string {
  const values = new Map(listEnabled(pathParameters).map(({ name, value }) => [name, value]));
  // Placeholders first: `{{name}}` is no path parameter.
  const filled = url.replace(/\{\{[^{}]*\}\}|\{([^{}]+)\}/g, (whole, name?: string) =>
    name === undefined ? whole : encodeLiterals(values.get(name) ?? `{${name}}`, keep),
  );
  return rewrite(filled, writeVariable);
}

export function writeQuery(query: readonly Pair[], writeVariable: (name: string) => string = keep): string {
  return listEnabled(query)
    .map(({ name, value }) => `${encodeLiterals(name, writeVariable)}=${encodeLiterals(value, writeVariable)}`)
    .join("&");
}

/** The whole address: path parameters filled in, what is literal percent-encoded. */
export function writeAddress(
  request: Pick<CollectedRequest, "url" | "pathParameters" | "query">,
  writeVariable: (name: string) => string = keep,
): string {
  const query = writeQuery(request.query, writeVariable);
  return query === "" ? writePath(request, writeVariable) : `${writePath(request, writeVariable)}?${query}`;
}

/** Headers as sent: the cookies as one more, and the type of the body where no header says it. */
export function listHeaders(request: CollectedRequest): { name: string; value: string }[] {
  const headers = listEnabled(request.headers).map(({ name, value }) => ({ name, value }));
  const cookies = listEnabled(request.cookies).map(({ name, value }) => `${name}=${value}`);
  if (cookies.length > 0) headers.push({ name: "Cookie", value: cookies.join("; ") });
  const mediaType = findMediaType(request);
  if (mediaType !== undefined && !headers.some(({ name }) => name.toLowerCase() === "content-type"))
    headers.push({ name: "Content-Type", value: mediaType });
  return headers;
}

function findMediaType({ body, bodyFile }: CollectedRequest): string | undefined {
  if (bodyFile) return bodyFile.mediaType;
  return body.kind === "json" || body.kind === "text" ? body.mediaType || undefined : undefined;
}
