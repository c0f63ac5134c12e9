import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { hasDocumentedValue } from "#libraries/openapi/documented-value.ts";
import { listSchemaTypes } from "#libraries/openapi/parameter-value.ts";
import { isShared, toSingular, toVariable } from "../names.ts";

/**
 * The variable for a parameter's value: tests of one API share it for the same resource. Names that every resource has
 * are told apart by their path: `/events?type=` and `/tags?type=` want different values.
 */
export function toVariableName(parameter: { name: string; in: string }, path: string): string {
  const isOwned = (parameter.in === "path" || parameter.in === "query") && isShared(parameter.name);
  return toVariable(isOwned ? [getOwner(parameter.name, path), parameter.name] : [parameter.name]);
}

/** `book` for `/shops/{shop}/books/{id}`: the segment before the parameter, or the last one, in the singular. */
function getOwner(name: string, path: string): string {
  const parts = path.split(/[/?#]/);
  const at = parts.findIndex((part) => part.includes(`{${name}}`));
  const before = at < 0 ? parts : parts.slice(0, at);
  return toSingular(before.findLast((part) => part !== "" && !part.includes("{")) ?? "");
}

/** Where a request takes the identifier of a resource: its variable, as the graph of dependencies names it. */
export type FindVariable = (location: string, name: string) => string | undefined;

export const findNoVariable: FindVariable = () => undefined;

/** Whether any value would be invented; lists and objects are left to the test's author. */
export function needsValue(parameter: OperationParameter, components: OperationWithComponents["components"]): boolean {
  if (parameter.in === "querystring" || parameter.contentMediaType !== undefined) return false;
  const types = listSchemaTypes(parameter.schema, components);
  const isScalar = typeof parameter.sample !== "object" && !types.includes("array") && !types.includes("object");
  return isScalar && !hasDocumentedValue(parameter, components);
}
