import type { CollectedRequest, Collection, Pair } from "../collection.ts";
import { listCapturedNames, mergeVariables } from "./groups.ts";
import { rewrite } from "./placeholders.ts";

/**
 * Writes values into addresses where a variable's value has characters that have to be percent-encoded: tools insert a
 * variable as it is.
 */
export function inlineInAddresses(collection: Collection): Collection {
  const captured = listCapturedNames(collection);
  const values = new Map(
    mergeVariables(collection).flatMap(({ name, value, secret }) =>
      secret || captured.has(name) || value.includes("{{") || /^[\w.~,-]*$/.test(value) ? [] : [[name, value]],
    ),
  );
  if (values.size === 0) return collection;
  const inline = <Item extends Pair>(pair: Item): Item => ({
    ...pair,
    value: rewrite(pair.value, (name) => values.get(name) ?? `{{${name}}}`),
  });
  const requests = collection.requests.map(
    (request): CollectedRequest => ({
      ...request,
      pathParameters: request.pathParameters.map(inline),
      query: request.query.map(inline),
    }),
  );
  return { ...collection, requests };
}
