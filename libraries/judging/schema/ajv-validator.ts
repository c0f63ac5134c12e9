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

/** Compiled schemas of one operation. */
interface Compiled {
  schemas: DocumentSchemas;
  ajv: Ajv2020;
  bySchema: WeakMap<object, ValidateFunction>;
  byText: Map<string, ValidateFunction>;
}

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
 * Validates with ajv. Caches compiled schemas per operation object, so callers that pass the same object compile once.
 * @param onCompiling called before schemas are compiled, which takes longer than judging, and after
 */
export function createAjvValidator(onCompiling: (phase: "starts" | "ends") => void = () => {}): SchemaValidator {
  const kept = new WeakMap<JudgedOperation, Compiled>();
  const patternFault: PatternFault = {};
  const validated: Validated = {};
  const withoutOperation = compileComponents(undefined);

  function compileComponents(operation: JudgedOperation | undefined): Compiled {
    const known = operation && kept.get(operation);
    if (known) return known;
    const schemas = createDocumentSchemas(operation);
    const ajv = createAjv(patternFault, validated);
    ajv.addSchema(schemas.components);
    const compiled: Compiled = { schemas, ajv, bySchema: new WeakMap(), byText: new Map() };
    if (operation) kept.set(operation, compiled);
    return compiled;
  }

  function compile(
    placed: PlacedSchema,
    operation: JudgedOperation | undefined,
  ): { compiled: Compiled; check: ValidateFunction } {
    const { schema, pointer, origin } = placed;
    const text = origin === "given" ? writeJson(schema as Json) : undefined;
    const first = operation ? kept.get(operation) : withoutOperation;
    const readyDocumented = typeof schema === "object" ? first?.bySchema.get(schema) : undefined;
    const ready = text === undefined ? readyDocumented : first?.byText.get(text);
    if (first && ready) return { compiled: first, check: ready };
    onCompiling("starts");
    try {
      const compiled = operation ? compileComponents(operation) : withoutOperation;
      // A given schema may have a $id, and the instance would register that name for all later schemas.
      const ajv =
        text === undefined ? compiled.ajv : createAjv(patternFault, validated).addSchema(compiled.schemas.components);
      const check = ajv.compile(compiled.schemas.normalize(schema, pointer, origin));
      if (text !== undefined) {
        if (compiled.byText.size > 100) compiled.byText.clear();
        compiled.byText.set(text, check);
      } else if (typeof schema === "object") compiled.bySchema.set(schema, check);
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
