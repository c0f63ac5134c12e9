import type { DescribedOperation, OperationResponse } from "#contracts/api-registry/operations.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { getMember, isRecord, toRecord } from "#libraries/json/json-value.ts";
import { isJson, parseMediaType } from "#libraries/judging/media-type.ts";
import { isPlainText, listMembersOfValue, type Member, type MemberReader } from "./members.ts";

/** A link of a response: which value of this operation another one takes. */
export interface LinkFacts {
  name: string;
  /** An operation id, or `get /books/{id}`. */
  to: string;
  /** Parameter of the other operation → runtime expression (OpenAPI, "Runtime Expressions"). */
  parameters: [name: string, expression: string][];
  requestBody: unknown;
}

/** What the graph needs of an operation. */
export interface OperationFacts extends OperationKey {
  operationId: string | null;
  segments: string[];
  parameters: {
    name: string;
    in: "path" | "query" | "header" | "cookie" | "querystring";
    required: boolean;
    component: string | undefined;
    isPlainText: boolean;
  }[];
  request: { members: Member[]; component: string | undefined };
  response: { members: Member[]; component: string | undefined; isDescribed: boolean };
  /** A success has the status 201. */
  creates: boolean;
  hasLocation: boolean;
  links: LinkFacts[];
}

const isJsonType = (mediaType: string) => {
  const parsed = parseMediaType(mediaType);
  return parsed !== undefined && (isJson(parsed) || mediaType.includes("*"));
};

export function toSegments(path: string): string[] {
  return path.split(/[?#]/)[0]!.split("/").filter(Boolean);
}

const toComponent = (schema: unknown): string | undefined => {
  const reference = getMember(schema, "$ref");
  return typeof reference === "string" ? reference : undefined;
};

/** The successes with a body first, as documented. */
function getSuccesses({ responses }: DescribedOperation): OperationResponse[] {
  const successes = responses.filter(({ status }) => /^2(\d\d|xx)$/i.test(status));
  const found = successes.length > 0 ? successes : responses.filter(({ status }) => status === "default");
  return [...found].sort((one, other) => Number(other.content.length > 0) - Number(one.content.length > 0));
}

export function toFacts(operation: DescribedOperation, reader: MemberReader): OperationFacts {
  const { method, path, operationId, parameters, requestBody } = operation;
  const successes = getSuccesses(operation);
  const body = requestBody?.content.find(({ mediaType }) => isJsonType(mediaType)) ?? requestBody?.content[0];
  const content = successes.flatMap((response) => response.content.filter(({ mediaType }) => isJsonType(mediaType)))[0];
  const example = content?.examples[0]?.value;
  return {
    ...{ method, path, operationId, segments: toSegments(path) },
    parameters: parameters.map(({ name, in: location, required, schema }) => ({
      ...{ name, in: location, required },
      component: toComponent(schema),
      isPlainText: isPlainText(toRecord(schema)),
    })),
    request: {
      members: body?.schema === undefined ? [] : reader.list(body.schema),
      component: toComponent(body?.schema),
    },
    response: {
      members:
        content?.schema !== undefined && reader.list(content.schema).length > 0
          ? reader.list(content.schema)
          : listMembersOfValue(example),
      component: toComponent(content?.schema),
      isDescribed: content !== undefined,
    },
    creates: successes.some(({ status }) => status === "201"),
    hasLocation: successes.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === "location")),
    links: successes.flatMap((response) => response.links.flatMap(toLinkFacts)),
  };
}

function toLinkFacts(link: OperationResponse["links"][number]): LinkFacts[] {
  const to = link.operationId;
  if (!to) return [];
  const parameters = isRecord(link.parameters) ? Object.entries(link.parameters) : [];
  const written = parameters.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return [{ name: link.name, to, parameters: written, requestBody: getMember(link, "requestBody") }];
}
