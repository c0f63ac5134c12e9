import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { hasDocumentedValue } from "#libraries/openapi/documented-value.ts";
import { listSchemaTypes } from "#libraries/openapi/parameter-value.ts";

/** Names that do not identify their resource: the ids of `/books/{id}` and `/authors/{id}` differ. */
const generic = /^(id|uuid|guid|key|name|slug|code|number|ref|value)$/i;

/** The variable for a parameter's value: tests of one API share it for the same resource. */
export function toVariableName(parameter: { name: string; in: string }, path: string): string {
  const words =
    parameter.in === "path" && generic.test(parameter.name)
      ? [getOwner(parameter.name, path), parameter.name]
      : [parameter.name];
  const [first = "", ...others] = words.flatMap((word) => word.split(/[^A-Za-z0-9_-]+/)).filter(Boolean);
  const name = [first, ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join("");
  return (/^[A-Za-z_]/.test(name) ? name : `_${name}`).slice(0, 100);
}

/** `book` for `/shops/{shop}/books/{id}`: the preceding segment, in the singular where that is evident. */
function getOwner(name: string, path: string): string {
  const parts = path.split(/[/?#]/);
  const before = parts
    .slice(
      0,
      parts.findIndex((part) => part.includes(`{${name}}`)),
    )
    .reverse();
  const word = before.find((part) => part !== "" && !part.includes("{")) ?? "";
  return /[^aious]s$/i.test(word) ? word.slice(0, -1) : word;
}

/** Whether any value would be invented; lists and objects are left to the test's author. */
export function needsValue(parameter: OperationParameter, components: OperationWithComponents["components"]): boolean {
  if (parameter.in === "querystring" || parameter.contentMediaType !== undefined) return false;
  const types = listSchemaTypes(parameter.schema, components);
  const isScalar = typeof parameter.sample !== "object" && !types.includes("array") && !types.includes("object");
  return isScalar && !hasDocumentedValue(parameter, components);
}
