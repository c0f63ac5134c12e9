import { isRecord, type JsonRecord, toList, toRecord } from "../../json/json-value.ts";
import type { SampleSource } from "../sample/sample-source.ts";

/** What a schema says about its XML: the XML Object of OpenAPI, with the `nodeType` of 3.2. */
export interface XmlShape {
  types: Set<string>;
  /** With those of all alternatives. */
  properties: Map<string, unknown>;
  required: Set<string>;
  items: unknown;
  name: string | undefined;
  prefix: string | undefined;
  namespace: string | undefined;
  isAttribute: boolean;
  /** A list has an element of its own around its items. */
  isWrapped: boolean;
  /** The value is the text of the element around it. */
  isText: boolean;
  isCdata: boolean;
  /** The component that the schema refers to: `Pet`. */
  component: string | undefined;
}

const maxParts = 200;

/** Resolves references, `allOf` and alternatives; each component once. */
export function getXmlShape(schema: unknown, source: SampleSource): XmlShape {
  const xml: JsonRecord = {};
  const shape = { types: new Set<string>(), properties: new Map<string, unknown>(), required: new Set<string>() };
  let items: unknown;
  let component: string | undefined;
  const seen = new Set<unknown>();
  const waiting = [schema];
  while (waiting.length > 0 && seen.size < maxParts) {
    const part = waiting.shift();
    if (!isRecord(part) || seen.has(part)) continue;
    seen.add(part);
    for (const type of [part.type].flat()) if (typeof type === "string") shape.types.add(type);
    for (const [name, value] of Object.entries(toRecord(part.properties))) {
      if (!shape.properties.has(name)) shape.properties.set(name, value);
    }
    for (const name of toList(part.required)) shape.required.add(String(name));
    items ??= part.items;
    for (const [key, value] of Object.entries(toRecord(part.xml))) xml[key] ??= value;
    if (typeof part.$ref === "string") {
      if (seen.size === 1) component = part.$ref.slice(part.$ref.lastIndexOf("/") + 1);
      waiting.push(source.find(part.$ref));
    }
    waiting.push(...toList(part.allOf), ...toList(part.oneOf), ...toList(part.anyOf));
  }
  const text = (key: string) => (typeof xml[key] === "string" && xml[key] !== "" ? (xml[key] as string) : undefined);
  const nodeType = text("nodeType");
  return {
    ...shape,
    items,
    name: text("name"),
    prefix: text("prefix"),
    namespace: text("namespace"),
    isAttribute: xml.attribute === true || nodeType === "attribute",
    isWrapped: xml.wrapped === true || nodeType === "element",
    isText: nodeType === "text" || nodeType === "cdata",
    isCdata: nodeType === "cdata",
    component,
  };
}

/** Whether a media type is XML (RFC 7303). */
export function isXmlType(mediaType: string): boolean {
  return /^\s*(application|text)\/xml\s*(;|$)|^[^;]*\+xml\s*(;|$)/i.test(mediaType);
}
