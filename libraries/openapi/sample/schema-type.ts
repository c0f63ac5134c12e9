import { getMember, isRecord, type JsonRecord, setMember, toList, toRecord } from "../../json/json-value.ts";
import { isSame } from "./merge-schemas.ts";

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

export function getSchemaType(schema: JsonRecord): string | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return String(type.find((one) => one !== "null") ?? "null");
  if (typeof type === "string") return type;
  if (schema.properties || schema.additionalProperties || schema.required || schema.minProperties) return "object";
  if (schema.items || schema.prefixItems || schema.minItems) return "array";
  if (schema.pattern || schema.format || schema.minLength !== undefined || schema.maxLength !== undefined)
    return "string";
  if (schema.minimum !== undefined || schema.maximum !== undefined || schema.multipleOf !== undefined) return "number";
  return undefined;
}

/** A documented value is used only when its type and bounds are valid: the examples in many documents are not. */
export function isPlausible(value: unknown, schema: JsonRecord): boolean {
  const type = getSchemaType(schema);
  const actual = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  const allowed = Array.isArray(schema.type) ? schema.type : type === undefined ? [actual] : [type];
  const matches = allowed.some(
    (one) =>
      one === actual || (actual === "number" && (one === "number" || (one === "integer" && Number.isInteger(value)))),
  );
  if (!matches || (Array.isArray(schema.enum) && !schema.enum.some((one) => isSame(one, value)))) return false;
  if (typeof value === "string") return isWithin(value.length, schema.minLength, schema.maxLength);
  if (typeof value === "number") return isWithin(value, schema.minimum, schema.maximum);
  if (Array.isArray(value)) return isWithin(value.length, schema.minItems, schema.maxItems);
  return (
    !isRecord(value) || toList(schema.required).every((name) => typeof name !== "string" || Object.hasOwn(value, name))
  );
}

function isWithin(size: number, minimum: unknown, maximum: unknown): boolean {
  return !(typeof minimum === "number" && size < minimum) && !(typeof maximum === "number" && size > maximum);
}
