import { numberFromText } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { type JsonRecord, setMember } from "../../json/json-value.ts";
import { elementType, type MarkupNode } from "../../xpath/markup.ts";
import type { SampleSource } from "../sample/sample-source.ts";
import { getXmlShape, type XmlShape } from "./xml-shape.ts";

/**
 * An element as the value that its schema describes (OpenAPI, "XML Object"); the inverse of `writeXml`. Names are
 * compared without prefixes. Elements that the schema does not name are members of their own name.
 */
export function readXml(element: MarkupNode, schema: unknown, source: SampleSource): Json {
  return readElement(element, getXmlShape(schema, source), source);
}

/** A number or boolean where the types allow one, as text has no types. */
export function readScalar(text: string, types: ReadonlySet<string>): Json {
  if ((types.has("integer") || types.has("number")) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    return numberFromText(text);
  }
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  return text;
}

function readElement(element: MarkupNode, shape: XmlShape, source: SampleSource): Json {
  const isNil = element.attributes.some(({ localName, value }) => localName === "nil" && value === "true");
  if (isNil) return null;
  const children = element.childNodes.filter(({ nodeType }) => nodeType === elementType);
  if (shape.types.has("array")) {
    const items = getXmlShape(shape.items, source);
    return children.map((child) => readElement(child, items, source));
  }
  const isObject = shape.types.has("object") || shape.properties.size > 0;
  const isScalar = shape.types.size > 0 && !isObject;
  if (isScalar || (!isObject && children.length === 0)) return readText(element, shape);
  return readObject(element, children, shape, source);
}

function readText(element: MarkupNode, { types }: XmlShape): Json {
  const text = element.stringValue();
  return types.has("string") ? text : readScalar(text.trim(), types);
}

function readObject(element: MarkupNode, children: MarkupNode[], shape: XmlShape, source: SampleSource): Json {
  const value: JsonRecord = {};
  const rest = new Set(children);
  const take = (name: string) => {
    const found = [...rest].filter(({ localName }) => localName === name);
    for (const child of found) rest.delete(child);
    return found;
  };
  for (const [member, schema] of shape.properties) {
    const own = getXmlShape(schema, source);
    const name = own.name ?? member;
    if (own.isAttribute) {
      const attribute = element.attributes.find(({ localName }) => localName === name);
      if (attribute) setMember(value, member, readScalar(attribute.nodeValue ?? "", own.types));
    } else if (own.isText) setMember(value, member, readText(element, own));
    else if (own.types.has("array") && !own.isWrapped) {
      const items = getXmlShape(own.items, source);
      const found = take(items.name ?? member).map((child) => readElement(child, items, source));
      // An empty list has no element.
      if (found.length > 0 || shape.required.has(member)) setMember(value, member, found);
    } else {
      const [first] = take(name);
      if (first) setMember(value, member, readElement(first, own, source));
    }
  }
  const unknown = getXmlShape(undefined, source);
  for (const child of rest) {
    if (!Object.hasOwn(value, child.localName)) setMember(value, child.localName, readElement(child, unknown, source));
  }
  return value as Json;
}
