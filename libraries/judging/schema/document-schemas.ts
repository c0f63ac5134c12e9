import type { SchemaObject } from "#contracts/api-registry/operations.ts";
import type { JudgedOperation } from "../judged-response.ts";
import { type Dispatch, findAlternatives, findComponent, findDispatch, isWriteOnly } from "./component-references.ts";
import { type Normalization, normalizeSchema } from "./normalize-schema.ts";

/** Base of normalized references; never fetched. */
const root = "https://document.invalid/";

type Normalized = Record<string, unknown> | boolean;

/**
 * The schemas of one operation as JSON Schema 2020-12: all components in one resource under short names, so that any
 * reference, circular or oddly named, resolves.
 */
export interface DocumentSchemas {
  /** The resource with all components. */
  components: Record<string, unknown>;
  normalize(schema: SchemaObject, pointer: string, origin: "document" | "given"): Normalized;
  /** The location of a normalized schema in the document. */
  pointerOf(normalized: object): string | undefined;
}

function nameOf(index: number, dispatched: boolean): string {
  return `${dispatched ? "d" : "c"}${index}`;
}

/** An heir is judged when the member names it; a value that names none is judged by the base alone. */
function dispatchSchema(dispatch: Dispatch, base: string, addressOf: (key: string) => string): Normalized {
  const { propertyName, targets } = dispatch;
  const branches = [...targets].map(([value, key]) => ({
    if: { type: "object", properties: { [propertyName]: { const: value } }, required: [propertyName] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { $ref: addressOf(key) },
  }));
  return { allOf: [{ $ref: addressOf(base) }, ...branches] };
}

export function createDocumentSchemas(operation: JudgedOperation | undefined): DocumentSchemas {
  const components = operation?.components ?? {};
  const keys = Object.keys(components);
  const indexes = new Map(keys.map((key, index) => [key, index]));
  const dispatches = new Map<string, Dispatch>();
  for (const key of keys) {
    const dispatch = findDispatch(components, key);
    if (dispatch) dispatches.set(key, dispatch);
  }
  const pointers = new WeakMap<object, string>();
  const plainAddress = (key: string) => `${root}#/$defs/${nameOf(indexes.get(key) as number, false)}`;
  const isOld = operation?.specificationVersion === "2.0" || operation?.specificationVersion === "3.0";

  const rules: Normalization = {
    dialect: isOld ? "old" : "new",
    resolve(reference, inherits) {
      const component = findComponent(components, reference);
      if (!component) return undefined;
      const index = indexes.get(component.key) as number;
      const dispatched = component.rest === "" && !inherits && dispatches.has(component.key);
      return `${root}#/$defs/${nameOf(index, dispatched)}${component.rest}`;
    },
    isWriteOnly: (schema) => isWriteOnly(components, schema),
    findAlternatives,
    place: (normalized, pointer) => pointers.set(normalized, pointer),
  };

  const definitions: Record<string, Normalized> = {};
  for (const [index, key] of keys.entries()) {
    definitions[nameOf(index, false)] = normalizeSchema(components[key] as SchemaObject, key, rules);
    const dispatch = dispatches.get(key);
    if (dispatch) definitions[nameOf(index, true)] = dispatchSchema(dispatch, key, plainAddress);
  }
  return {
    components: { $id: root, $defs: definitions },
    normalize: (schema, pointer, origin) =>
      normalizeSchema(schema, pointer, origin === "given" ? { ...rules, dialect: "new" } : rules),
    pointerOf: (normalized) => pointers.get(normalized),
  };
}
