import { createHash } from "node:crypto";
import type { DocumentProblem, ProblemLocation } from "#contracts/api-registry/documents.ts";
import type {
  ComponentRow,
  DependencySetRow,
  OperationConsumersRow,
  OperationRow,
  ResourceRow,
} from "../domain/imported-document.ts";
import { listedConsumers } from "../domain/relate-operations.ts";
import { storableText } from "./storable-text.ts";
import type { ApiRegistryTables } from "./tables.ts";

/** Tables whose rows arrive as JSON. */
export type ContentTable =
  | "operations"
  | "operation_tags"
  | "operation_details"
  | "components"
  | "reaches"
  | "resources"
  | "operation_consumers"
  | "document_problems";

type Row<Table extends ContentTable> = Omit<ApiRegistryTables[Table], "document_id">;

/** Key of an operation: a hash, because a path may be longer than an index entry. */
export function lookupKey(kind: OperationRow["kind"], method: string, path: string): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, method, path]))
    .digest("base64url")
    .slice(0, 22);
}

/** A hash, because a path may be longer than an index entry. */
export function resourceLookupKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 22);
}

function getTags(tags: readonly string[]): string[] {
  return tags.slice(0, 50).map((tag) => storableText(tag, 200));
}

export function operationRow(operation: OperationRow): Row<"operations"> {
  const { position, kind, method, path, operationId, summary, tags, deprecated, responseStatuses } = operation;
  return {
    position,
    kind,
    lookup_key: lookupKey(kind, method, path),
    operation_id: operationId === null ? null : storableText(operationId, 500),
    path: storableText(path),
    method: storableText(method),
    summary: storableText(summary, 500),
    tags: getTags(tags),
    deprecated,
    response_statuses: responseStatuses.map((status) => storableText(status, 40)),
    search_text: storableText(`${path}\n${operationId ?? ""}\n${summary}`.toLowerCase(), 4_000),
  };
}

/** One row per tag of the operation, or one for the empty tag. */
export function operationTagRows({ kind, position, tags }: OperationRow): Row<"operation_tags">[] {
  if (kind !== "operation") return [];
  const distinct = new Set(getTags(tags));
  return [...(distinct.size === 0 ? [""] : distinct)].map((tag) => ({ tag, position }));
}

export function operationDetailRow(operation: OperationRow): Row<"operation_details"> {
  const { position, described, securitySchemes, dependencySet } = operation;
  return { position, described, security_schemes: securitySchemes, reach_number: dependencySet };
}

export function componentRow({ ordinal, reference, body }: ComponentRow): Row<"components"> {
  return { ordinal, reference: storableText(reference, 100_000), body };
}

export function dependencySetRow({ number, ordinals }: DependencySetRow): Row<"reaches"> {
  return { number, ordinals };
}

export function resourceRow({ position, resource, consumers }: ResourceRow): Row<"resources"> {
  return {
    position,
    lookup_key: resourceLookupKey(resource.key),
    body: JSON.stringify(resource),
    consumers: JSON.stringify(listedConsumers(consumers)),
    consumer_count: consumers.length,
    search_text: storableText(`${resource.name}\n${resource.item}`.toLowerCase(), 4_000),
  };
}

export function operationConsumersRow({ position, consumers }: OperationConsumersRow): Row<"operation_consumers"> {
  return { position, body: JSON.stringify(consumers) };
}

/** Pointers of locations that are deep on purpose are not worth storing. */
function isShort({ pointer, file = "" }: ProblemLocation): boolean {
  return pointer.length + file.length <= 1_000;
}

export function problemRow(problem: DocumentProblem, position: number): Row<"document_problems"> {
  const { severity, message, pointer, file, line, column, count, otherPlaces } = problem;
  return {
    position,
    severity,
    message: storableText(message),
    pointer: storableText(pointer),
    file: file === undefined ? null : storableText(file),
    line,
    column_number: column,
    place_count: count,
    other_places: otherPlaces ? JSON.stringify(otherPlaces.filter(isShort)) : null,
  };
}
