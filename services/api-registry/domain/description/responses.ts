import type { MediaTypeContent, OperationResponse, SchemaObject } from "#contracts/api-registry/operations.ts";
import { isRecord, type JsonRecord, toOptionalText, toRecord, toText } from "#libraries/json/json-value.ts";
import { resolve } from "../references/document-set.ts";
import { describeContent, setSample } from "./content.ts";
import type { DescriptionContext } from "./context.ts";
import { describeSchema } from "./schemas.ts";

const maxResponses = 200;

/** Documented responses in document order, with `default` last. */
export function describeResponses(
  value: unknown,
  file: string,
  produces: string[],
  context: DescriptionContext,
): OperationResponse[] {
  const described: OperationResponse[] = [];
  for (const [status, raw] of Object.entries(toRecord(value)).slice(0, maxResponses)) {
    if (status.startsWith("x-")) continue;
    const target = resolve(context.set, { file, pointer: "", value: raw });
    if (!target || !isRecord(target.value)) continue;
    const response = target.value;
    described.push({
      status: /^[1-5]xx$/i.test(status) ? status.toUpperCase() : status,
      description: toText(response.description) || toText(response.summary),
      headers: describeHeaders(response.headers, target.file, context),
      content: context.components.isSwagger
        ? describeSwaggerContent(response, target.file, produces, context)
        : describeContent(response.content, target.file, "response", context),
      links: describeLinks(response.links, target.file, context),
    });
  }
  return described.sort((one, other) => Number(one.status === "default") - Number(other.status === "default"));
}

function describeHeaders(value: unknown, file: string, context: DescriptionContext): OperationResponse["headers"] {
  const described: OperationResponse["headers"] = [];
  for (const [name, raw] of Object.entries(toRecord(value)).slice(0, maxResponses)) {
    const target = resolve(context.set, { file, pointer: "", value: raw });
    if (!target || !isRecord(target.value) || name.toLowerCase() === "content-type") continue;
    const header = target.value;
    const [[mediaType, media] = []] = Object.entries(toRecord(header.content));
    const { description: _, ...words } = header;
    const schema = context.components.isSwagger ? words : (header.schema ?? toRecord(media).schema);
    described.push({
      name,
      required: header.required === true,
      description: toText(header.description),
      ...(header.explode === true ? { explode: true } : {}),
      ...(mediaType === undefined ? {} : { contentMediaType: mediaType }),
      ...(schema === undefined
        ? {}
        : { schema: describeSchema(schema, target.file, context.components, context.dependencies) as SchemaObject }),
    });
  }
  return described;
}

/** 2.0 has one schema per response, for every media type the operation produces, and examples by media type. */
function describeSwaggerContent(
  response: JsonRecord,
  file: string,
  produces: string[],
  context: DescriptionContext,
): MediaTypeContent[] {
  const examples = toRecord(response.examples);
  const named = Object.keys(examples);
  if (response.schema === undefined && named.length === 0) return [];
  const schema =
    response.schema === undefined
      ? undefined
      : (describeSchema(response.schema, file, context.components, context.dependencies) as SchemaObject);
  const mediaTypes = [...new Set([...produces, ...named])];
  return (mediaTypes.length > 0 ? mediaTypes : ["application/json"]).map((mediaType) => {
    const own = Object.hasOwn(examples, mediaType) ? [{ name: "example", value: examples[mediaType] }] : [];
    const content: MediaTypeContent = { mediaType, examples: own };
    if (schema !== undefined) content.schema = schema;
    setSample(content, own, schema, "response", context);
    return content;
  });
}

function describeLinks(value: unknown, file: string, context: DescriptionContext): OperationResponse["links"] {
  return Object.entries(toRecord(value))
    .slice(0, maxResponses)
    .map(([name, raw]) => {
      const link = toRecord(resolve(context.set, { file, pointer: "", value: raw })?.value);
      const operationId = toOptionalText(link.operationId) ?? toOptionalText(link.operationRef);
      return {
        name,
        ...(operationId ? { operationId } : {}),
        description: toText(link.description),
        parameters: link.parameters ?? {},
        ...(link.requestBody === undefined ? {} : { requestBody: link.requestBody }),
      };
    });
}
