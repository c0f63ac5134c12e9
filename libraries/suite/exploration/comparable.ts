import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { toWords } from "../names.ts";
import { findLargestReturned, pathTo } from "../plan/objects.ts";

/** Last words of members that change by themselves, or say something of the response. */
const varying = new Set([
  ...[
    "at",
    "on",
    "time",
    "date",
    "timestamp",
    "now",
    "age",
    "uptime",
    "nonce",
    "token",
    "etag",
    "signature",
    "expires",
  ],
  ...["ttl", "url", "link", "links", "href", "seen", "elapsed", "remaining", "random", "accessed", "used", "login"],
]);
const mostCompared = 20;

/** Where a response has what stays the same until it is changed, as JSONPaths. */
export function listComparable(described: OperationWithComponents): string[] {
  const object = findLargestReturned(described);
  if (!object) return [];
  return [...object.members]
    .filter(([name, schema]) => {
      const isMoment = schema.format === "date-time" || schema.format === "date";
      const isVarying = isMoment || varying.has(toWords(name).at(-1)?.toLowerCase() ?? "");
      return !isVarying && schema.writeOnly !== true && getSchemaType(schema) !== undefined;
    })
    .slice(0, mostCompared)
    .map(([name]) => pathTo(object, name));
}
