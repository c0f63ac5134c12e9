import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describePointer } from "../../json/describe-pointer.ts";
import type { Json } from "../../json/json.ts";
import { toPlainJson, writeJson } from "../../json/write-json.ts";
import { cut, type Show, shortenValue } from "../describe-value.ts";
import { type JudgedOperation, Unjudgeable } from "../judged-response.ts";
import { createDocumentSchemas, type DocumentSchemas } from "./document-schemas.ts";
import { compareExactly, ReadableValue, type Validated } from "./exact-keywords.ts";
import { faultMessage } from "./fault-message.ts";
import { neverInResponses } from "./normalize-schema.ts";
import { type PatternFault, patternEngine } from "./pattern-engine.ts";
import { type PlacedSchema, type SchemaResult, type SchemaValidator, showPointer } from "./schema-validator.ts";

const mostFaults = 20;
/** Characters. The server chooses member names, which may be a mebibyte long. */
const longestPointer = 1_000;

/** Compiled schemas of the operations that reach the same components. */
interface Compiled {
  schemas: DocumentSchemas;
  ajv: Ajv2020;
  bySchema: WeakMap<object, ValidateFunction>;
  /** Of schemas that are given, and of the document's by text and pointer. */
  given: Map<string, ValidateFunction>;
  documented: Map<string, ValidateFunction>;
}

/** Sets of components that are compiled at a time. */
const maxCompiled = 50;
/** Of one set of components, after which all of them are forgotten: ajv remembers each. */
const maxDocumented = 1_000;

function createAjv(fault: PatternFault, validated: Validated): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    meta: false,
    validateSchema: false,
    code: { regExp: patternEngine(fault) },
  });
  addFormats.default(ajv);
  ajv.addKeyword({ keyword: neverInResponses, validate: () => false });
  compareExactly(ajv, validated);
  return ajv;
}

/**
 * Validates with ajv. Operations that reach the same components compile them once: in many documents that is most of an
 * operation's first judgement.
 * @param onCompiling called before schemas are compiled, which takes longer than judging, and after
 */
export function createAjvValidator(onCompiling: (phase: "starts" | "ends") => void = () => {}): SchemaValidator {
  const byOperation = new WeakMap<JudgedOperation, Compiled>();
  /** The least recently used first. */
  const byComponents = new Map<string, Compiled>();
  const patternFault: PatternFault = {};
  const validated: Validated = {};
  const withoutOperation = compileComponents(undefined);

  function compileComponents(operation: JudgedOperation | undefined): Compiled {
    const known = operation && byOperation.get(operation);
    if (known) return known;
    const key = operation ? JSON.stringify([operation.specificationVersion, operation.components]) : "";
    const compiled = byComponents.get(key) ?? createCompiled(operation);
    byComponents.delete(key);
    if (operation && compiled.documented.size < maxDocumented) byComponents.set(key, compiled);
    const [oldest] = byComponents.keys();
    if (byComponents.size > maxCompiled) byComponents.delete(oldest!);
    if (operation) byOperation.set(operation, compiled);
    return compiled;
  }

  function createCompiled(operation: JudgedOperation | undefined): Compiled {
    const schemas = createDocumentSchemas(operation);
    const ajv = createAjv(patternFault, validated);
    ajv.addSchema(schemas.components);
    return { schemas, ajv, bySchema: new WeakMap(), given: new Map(), documented: new Map() };
  }

  function compile(
    placed: PlacedSchema,
    operation: JudgedOperation | undefined,
  ): { compiled: Compiled; check: ValidateFunction } {
    const { schema, pointer, origin } = placed;
    const isGiven = origin === "given";
    const first = operation ? byOperation.get(operation) : withoutOperation;
    const documented = !isGiven && typeof schema === "object" ? first?.bySchema.get(schema) : undefined;
    if (first && documented) return { compiled: first, check: documented };
    const text = isGiven ? writeJson(schema as Json) : toKey(placed);
    const given = isGiven ? first?.given.get(text) : undefined;
    if (first && given) return { compiled: first, check: given };
    onCompiling("starts");
    try {
      const compiled = operation ? compileComponents(operation) : withoutOperation;
      // A given schema may have a $id, and the instance would register that name for all later schemas.
      const ajv = isGiven ? createAjv(patternFault, validated).addSchema(compiled.schemas.components) : compiled.ajv;
      const known = isGiven ? undefined : compiled.documented.get(text);
      const check = known ?? ajv.compile(compiled.schemas.normalize(schema, pointer, origin));
      if (isGiven) {
        if (compiled.given.size > 100) compiled.given.clear();
        compiled.given.set(text, check);
      } else {
        compiled.documented.set(text, check);
        if (typeof schema === "object") compiled.bySchema.set(schema, check);
      }
      return { compiled, check };
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw new Unjudgeable("invalid_schema", `The schema can't be used: ${(error as Error).message}.`);
    } finally {
      onCompiling("ends");
    }
  }

  /** Of several failed alternatives, the one with the fewest errors is probably the intended one. */
  function closestErrors(compiled: Compiled, composite: ErrorObject): ErrorObject[] {
    const alternatives = (composite.schema as unknown[]).slice(0, 20);
    let closest: ErrorObject[] = [];
    for (const alternative of alternatives) {
      if (typeof alternative !== "object" || alternative === null) continue;
      const check = compiled.bySchema.get(alternative) ?? compiled.ajv.compile(alternative);
      compiled.bySchema.set(alternative, check);
      if (check(composite.data)) continue;
      const errors = (check.errors ?? []).map((error) => ({
        ...error,
        instancePath: composite.instancePath + error.instancePath,
      }));
      // A wrong type at the top means that another alternative was intended.
      const weight = (list: ErrorObject[]) =>
        list.length +
        (list.some((error) => error.instancePath === composite.instancePath && error.keyword === "type") ? 1_000 : 0);
      if (closest.length === 0 || weight(errors) < weight(closest)) closest = errors;
    }
    return closest;
  }

  /** Removes errors that only report the mismatch of one alternative among several. */
  function withoutAlternatives(compiled: Compiled, errors: ErrorObject[]): ErrorObject[] {
    const kept: ErrorObject[] = [];
    for (const error of errors) {
      const isComposite = (error.keyword === "oneOf" || error.keyword === "anyOf") && !error.params?.passingSchemas;
      if (!isComposite) {
        if (error.keyword !== "if") kept.push(error);
        continue;
      }
      let last = kept.at(-1);
      while (last?.instancePath.startsWith(error.instancePath) && last.parentSchema !== error.parentSchema) {
        kept.pop();
        last = kept.at(-1);
      }
      kept.push(error, ...closestErrors(compiled, error));
    }
    return kept;
  }

  function toFault(
    compiled: Compiled,
    found: ErrorObject,
    { pointer: basePointer, origin }: PlacedSchema,
    value: ReadableValue,
    show: Show,
  ) {
    const instancePath = showPointer(cut(found.instancePath, longestPointer), show);
    const error = { ...found, data: value.at(found.instancePath) };
    // A given schema may contain values from variables.
    const shown = origin === "given" ? { ...error, schema: show(error.schema), params: show(error.params) } : error;
    const place = error.parentSchema && compiled.schemas.pointerOf(error.parentSchema);
    return {
      pointer: instancePath,
      schemaPointer:
        place === undefined ? `${basePointer}${error.schemaPath.replace(/^[^#]*#/, "")}` : `${place}/${error.keyword}`,
      message: `${describePointer(instancePath)}: ${faultMessage(shown, show)}.`,
      expected: toPlainJson(shortenValue(shown.schema as Json)),
      actual: toPlainJson(show(shortenValue(error.data))),
    };
  }

  return {
    validate(placed, value, operation, show = (one) => one): SchemaResult {
      const { compiled, check } = compile(placed, operation);
      const readable = new ReadableValue(value);
      patternFault.message = undefined;
      validated.value = readable;
      if (check(readable.plain, readable.context as never)) {
        return patternFault.message === undefined
          ? { faults: [] }
          : { faults: [], unsupportedPattern: patternFault.message };
      }
      const errors = withoutAlternatives(compiled, (check.errors ?? []).slice(0, 500));
      return { faults: errors.slice(0, mostFaults).map((error) => toFault(compiled, error, placed, readable, show)) };
    },
  };
}

/** Equal for schemas that compile to the same: what one says of itself has its own place, unless it only refers. */
function toKey({ schema, pointer }: PlacedSchema): string {
  const text = writeJson(schema as Json);
  const isReference = typeof schema === "object" && Object.keys(schema).join() === "$ref";
  return isReference ? text : `${pointer} ${text}`;
}
