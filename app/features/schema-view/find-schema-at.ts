import type { OperationWithComponents, SchemaObject } from "#contracts/api-registry/operations.ts";
import { isSchema, toComponentName } from "./read-schema.ts";

/**
 * The schema at a JSON pointer within the response that describes an operation; undefined if there is none.
 * `name` is the component's, or the schema's position in it.
 */
export function findSchemaAt(
  result: OperationWithComponents,
  location: string,
): { schema: SchemaObject; name: string } | undefined {
  if (!location.startsWith("/operation/") && !location.startsWith("/components/")) return undefined;
  const steps = location
    .slice(1)
    .split("/")
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
  let current: unknown = result;
  for (const step of steps) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  if (!isSchema(current)) return undefined;
  const inner = steps.filter((step) => !["properties", "items", "schema", "content", "operation"].includes(step));
  const name =
    steps[0] === "components" ? [toComponentName(steps[1]!), ...inner.slice(2)].join(" › ") : inner.join(" › ");
  return { schema: current, name };
}
