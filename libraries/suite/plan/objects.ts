import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toTexts } from "#libraries/json/json-value.ts";
import { isJson, parseMediaType } from "#libraries/judging/media-type.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { preferredContent } from "#libraries/openapi/sample-body.ts";
import { flattenSchema, listObjectMembers } from "#libraries/openapi/schema-parts.ts";
import { toJsonPath } from "../graph/members.ts";
import { toPlain, toSingular } from "../names.ts";
import { getPathThing } from "../suggestion/member-words.ts";

/** An object in a JSON body, with its documented members. */
export interface DescribedObject {
  /** Members that lead to it: `["data"]`. */
  steps: string[];
  members: ReadonlyMap<string, JsonRecord>;
  required: ReadonlySet<string>;
}

const sourceOf = ({ components }: OperationWithComponents): SampleSource => ({ find: (name) => components[name] });

const isJsonType = (mediaType: string) => {
  const parsed = parseMediaType(mediaType);
  return parsed !== undefined && isJson(parsed) && !/json-patch/i.test(mediaType);
};

const marking = /^(is)?(deleted|removed|archived)(at|on)?$/;

/** Whether a member says that its thing was deleted: sent, it would end the thing. */
export const marksDeletion = (name: string) => marking.test(toPlain(name));
const endState = /^(deleted|removed|archived|expired|cancell?ed|terminated)$/i;

/** The member of a response that says of a thing that it was deleted, though it is still found. */
export function findDeletionMark(described: OperationWithComponents): string | undefined {
  const objects = listObjects(findReturnedSchema(described), sourceOf(described));
  for (const { members } of objects) {
    for (const [name, schema] of members) {
      if (marksDeletion(name) || toTexts(schema.enum).some((value) => endState.test(value))) return name;
    }
  }
  return undefined;
}

/** The objects of a JSON body: the outermost one, and those that it holds. */
function listObjects(schema: unknown, source: SampleSource): DescribedObject[] {
  const whole = toObject([], schema, source);
  const inner = [...whole.members].flatMap(([name, member]): DescribedObject[] =>
    getSchemaType(member) === "object" ? [toObject([name], member, source)] : [],
  );
  return [whole, ...inner];
}

function toObject(steps: string[], schema: unknown, source: SampleSource): DescribedObject {
  const required = new Set(toTexts(flattenSchema(schema, source)?.required));
  return { steps, members: listObjectMembers(schema, source), required };
}

/** The object that a JSON request sends: the body, or its only member. */
export function findSentObject(
  described: OperationWithComponents,
): (DescribedObject & { mediaType: string }) | undefined {
  const content = described.operation.requestBody && preferredContent(described.operation.requestBody.content);
  if (!content || !isJsonType(content.mediaType)) return undefined;
  const [whole, ...inner] = listObjects(content.schema, sourceOf(described));
  const object = whole!.members.size === 1 && inner.length === 1 ? inner[0]! : whole!;
  return object.members.size === 0 ? undefined : { ...object, mediaType: content.mediaType };
}

function findReturnedSchema({ operation }: OperationWithComponents): unknown {
  const successes = operation.responses.filter(({ status }) => /^2/.test(status));
  return successes.flatMap((one) => one.content).find(({ mediaType }) => isJsonType(mediaType))?.schema;
}

/** Whether a response is a list, or a page of one: what matches nothing is then an empty one. */
export function returnsList(described: OperationWithComponents): boolean {
  const [whole] = listObjects(findReturnedSchema(described), sourceOf(described));
  const flat = flattenSchema(findReturnedSchema(described), sourceOf(described));
  const thing = toPlain(getPathThing(described.operation.path));
  const isPage = [...(whole?.members ?? [])].some(
    ([name, member]) =>
      getSchemaType(member) === "array" &&
      // `tokens` of `/api-tokens/{name}`
      (["items", "data", "results"].includes(name) || (thing !== "" && thing.endsWith(toPlain(toSingular(name))))),
  );
  return isPage || (flat !== undefined && getSchemaType(flat) === "array");
}

/** The object of a JSON response that has the most of these members; the outermost of equals. */
export function findReturnedObject(
  described: OperationWithComponents,
  names: readonly string[],
): DescribedObject | undefined {
  let best: { object: DescribedObject; count: number } | undefined;
  for (const object of listObjects(findReturnedSchema(described), sourceOf(described))) {
    const count = names.filter((name) => object.members.has(name)).length;
    if (!best || count > best.count) best = { object, count };
  }
  return best && best.count > 0 ? best.object : undefined;
}

/** The object of a JSON response that has the most members. */
export function findLargestReturned(described: OperationWithComponents): DescribedObject | undefined {
  const objects = listObjects(findReturnedSchema(described), sourceOf(described));
  return objects.sort((one, other) => other.members.size - one.members.size)[0];
}

/** The members of an object within a body's value. */
export function getObject(value: unknown, steps: readonly string[]): JsonRecord | undefined {
  let found = value;
  for (const step of steps) found = isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  return isRecord(found) ? found : undefined;
}

/** @returns a JSONPath (RFC 9535) */
export function pathTo({ steps }: DescribedObject, name: string): string {
  return toJsonPath([...steps, name]);
}
