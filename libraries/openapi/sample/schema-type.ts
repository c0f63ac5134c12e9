import { getMember, isRecord, type JsonRecord, setMember, toRecord } from "../../json/json-value.ts";

/** Sets the discriminator's property to the value for this schema. */
export function withDiscriminator(schema: JsonRecord, reference: string | undefined): JsonRecord {
  const name = getMember(schema.discriminator, "propertyName");
  if (typeof name !== "string" || reference === undefined) return schema;
  const mapping = toRecord(getMember(schema.discriminator, "mapping"));
  const mapped = Object.keys(mapping).find((key) => mapping[key] === reference);
  const value = mapped ?? reference.slice(reference.lastIndexOf("/") + 1).replace(/\.(ya?ml|json)$/i, "");
  const own = getMember(schema.properties, name);
  const isConstant =
    isRecord(own) && (own.const !== undefined || (Array.isArray(own.enum) && !own.enum.includes(value)));
  if (isConstant) return schema;
  const properties: JsonRecord = { ...toRecord(schema.properties) };
  setMember(properties, name, { const: value });
  return { ...schema, properties };
}

const objectKeywords = [
  ...["properties", "additionalProperties", "required", "minProperties", "patternProperties", "propertyNames"],
  ...["dependentRequired", "dependentSchemas"],
];

export function getSchemaType(schema: JsonRecord): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return String(type.find((one) => one !== "null") ?? "null");
  if (typeof type === "string") return type;
  if (objectKeywords.some((keyword) => schema[keyword])) return "object";
  if (schema.items || schema.prefixItems || schema.minItems || schema.contains) return "array";
  if (schema.pattern || schema.format || schema.minLength !== undefined || schema.maxLength !== undefined)
    return "string";
  if (schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined) return "number";
  return undefined;
}
