import type { MediaTypeContent, OperationParameter, SchemaObject } from "#contracts/api-registry/operations.ts";
import { type JsonRecord, setMember, toText } from "#libraries/json/json-value.ts";
import { setSample } from "./content.ts";
import type { DescriptionContext } from "./context.ts";
import type { FoundParameter } from "./parameters.ts";
import { describeSchema } from "./schemas.ts";

const notOfTheSchema = new Set([
  "name",
  "in",
  "description",
  "required",
  "collectionFormat",
  "allowEmptyValue",
  "x-example",
  "x-examples",
  "examples",
]);

/** A 2.0 parameter other than body has its schema's keywords inline. */
function schemaOfParameter({ value, file }: FoundParameter, context: DescriptionContext): SchemaObject {
  const schema: JsonRecord = {};
  for (const key of Object.keys(value)) if (!notOfTheSchema.has(key)) setMember(schema, key, value[key]);
  return describeSchema(schema, file, context.components, context.dependencies) as SchemaObject;
}

interface Serialisation {
  style: OperationParameter["style"];
  explode: boolean;
}

/** 2.0's `collectionFormat` in the terms of 3.x; `multi` is for query and forms only. */
function toSerialisation(value: JsonRecord, location: string): Serialisation {
  const joined: OperationParameter["style"] = location === "path" || location === "header" ? "simple" : "form";
  switch (value.collectionFormat) {
    case "multi":
      return { style: joined, explode: joined === "form" };
    case "ssv":
      return { style: "spaceDelimited", explode: false };
    case "tsv":
      return { style: "tabDelimited", explode: false };
    case "pipes":
      return { style: "pipeDelimited", explode: false };
    default:
      return { style: joined, explode: false };
  }
}

export function describeSwaggerParameter(
  found: FoundParameter,
  context: DescriptionContext,
): OperationParameter | undefined {
  const { value } = found;
  const location = toText(value.in);
  const name = toText(value.name);
  if ((location !== "path" && location !== "query" && location !== "header") || name === "") return undefined;
  const schema = schemaOfParameter(found, context);
  const parameter: OperationParameter = {
    name,
    in: location,
    required: location === "path" || value.required === true,
    deprecated: value["x-deprecated"] === true,
    description: toText(value.description),
    ...toSerialisation(value, location),
    allowReserved: false,
    schema,
    examples: value["x-example"] === undefined ? [] : [{ name: "example", value: value["x-example"] }],
  };
  if (value.allowEmptyValue === true && location === "query") parameter.allowEmptyValue = true;
  setSample(parameter, parameter.examples, schema, "request", context);
  return parameter;
}

type RequestBody = { required: boolean; description: string; content: MediaTypeContent[] };

/** 2.0's body parameter, or its form parameters, as one request body. */
export function describeSwaggerBody(
  parameters: FoundParameter[],
  consumes: string[],
  context: DescriptionContext,
): RequestBody | undefined {
  const body = parameters.find(({ value }) => value.in === "body");
  if (body) return describeBodyParameter(body, consumes, context);
  const fields = parameters.filter(({ value }) => value.in === "formData" && toText(value.name) !== "");
  return fields.length > 0 ? describeForm(fields, consumes, context) : undefined;
}

function describeBodyParameter(body: FoundParameter, consumes: string[], context: DescriptionContext): RequestBody {
  const { value, file } = body;
  const schema = describeSchema(value.schema ?? {}, file, context.components, context.dependencies) as SchemaObject;
  const mediaTypes = consumes.length > 0 ? consumes : ["application/json"];
  const content = mediaTypes.map((mediaType) => {
    const examples = value["x-example"] === undefined ? [] : [{ name: "example", value: value["x-example"] }];
    const one: MediaTypeContent = { mediaType, schema, examples };
    setSample(one, examples, schema, "request", context);
    return one;
  });
  return { required: value.required === true, description: toText(value.description), content };
}

function describeForm(fields: FoundParameter[], consumes: string[], context: DescriptionContext): RequestBody {
  const properties: JsonRecord = {};
  const encoding: JsonRecord = {};
  const required: string[] = [];
  for (const field of fields) {
    const name = toText(field.value.name);
    const schema = schemaOfParameter(field, context);
    const description = toText(field.value.description);
    setMember(properties, name, typeof schema === "object" && description ? { ...schema, description } : schema);
    if (field.value.required === true) required.push(name);
    if (field.value.type === "array") setMember(encoding, name, toSerialisation(field.value, "query"));
  }
  const schema: JsonRecord = { type: "object", properties };
  if (required.length > 0) schema.required = required;
  const formTypes = consumes.filter((type) =>
    /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type),
  );
  const hasFile = fields.some(({ value }) => value.type === "file");
  const fallback = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  const content = (formTypes.length > 0 ? formTypes : [fallback]).map((mediaType) => {
    const one: MediaTypeContent = { mediaType, schema, examples: [] };
    if (Object.keys(encoding).length > 0) one.encoding = encoding;
    setSample(one, [], schema, "request", context);
    return one;
  });
  return { required: required.length > 0, description: "", content };
}
