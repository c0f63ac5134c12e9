import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { isRecord, type JsonRecord, memberOf } from "#libraries/json/json-value.ts";
import { type Diagnostics, type Place, quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import { grammar2 } from "./grammar-2.ts";
import { grammar3 } from "./grammar-3.ts";
import type { Walk } from "./rule.ts";
import { rulesOfKinds } from "./rules.ts";
import { validateSchema } from "./schema-rules.ts";
import type { Grammar, ObjectKind, Shape } from "./shapes.ts";
import { adviseOnField, enumerate, kindOf } from "./wording.ts";

export interface ReferenceFound {
  reference: string;
  /** Expected kind of the target. */
  shape: Shape;
  /** Pointer of the `$ref` itself. */
  place: Place;
  /** The containing object where the standard allows no reference: "an operation". */
  misplaced?: string;
}

/**
 * Walks the objects of a document as the standard describes them and records violations in words for its author.
 * References are recorded, not followed: each target is validated once per expected shape.
 */
export class Validator implements Walk {
  readonly references: ReferenceFound[] = [];
  readonly grammar: Grammar;
  readonly #visited = new Map<string, Set<string>>();

  constructor(
    readonly version: SpecificationVersion,
    readonly diagnostics: Diagnostics,
  ) {
    this.grammar = version === "2.0" ? grammar2() : grammar3(version);
  }

  /** Validates the target of a reference, unless it was already validated in that role. */
  validateTarget(value: unknown, shape: Shape, place: Place): void {
    if (!this.#visited.get(`${place.file}#${place.pointer}`)?.has(roleOf(shape))) this.validate(value, shape, place);
  }

  /**
   * Describes the target of a reference when it is of another kind than expected: where the document declares it, or
   * which field it lacks. The error is then in the reference, not in its target.
   */
  otherThan(shape: Shape, value: JsonRecord, place: Place): string | undefined {
    const roles = this.#visited.get(`${place.file}#${place.pointer}`);
    const expected = roleOf(shape);
    if (roles?.has(expected)) return undefined;
    const [role] = roles ?? [];
    if (role) return this.#called(role);
    const fields = shape.is === "object" ? this.grammar.get(shape.kind) : undefined;
    if (!fields || fields.others || memberOf(value, "$ref") !== undefined) return undefined;
    const telling = Object.keys(value).filter((name) => !/^(x-.*|summary|description|title)$/.test(name));
    const isStrange = telling.length > 0 && !telling.some((name) => fields.fields.has(name));
    return isStrange
      ? `an object with ${enumerate(
          telling.slice(0, 3).map((name) => quoted(name)),
          "and",
        )}`
      : undefined;
  }

  /** The kind expected at a reference, in words. */
  expectedAs(shape: Shape): string {
    return this.#called(roleOf(shape));
  }

  #called(role: string): string {
    return this.grammar.get(role)?.called ?? `a ${role}`;
  }

  #visit(role: string, { file, pointer }: Place): void {
    const key = `${file}#${pointer}`;
    const roles = this.#visited.get(key);
    if (roles) roles.add(role);
    else this.#visited.set(key, new Set([role]));
  }

  validate(value: unknown, shape: Shape, place: Place): void {
    if (this.#noteMisplaced(value, shape, place)) return;
    switch (shape.is) {
      case "anything":
        return;
      case "text":
        this.#validateText(value, shape, place);
        return;
      case "boolean":
        if (typeof value !== "boolean") this.#wrongType("true or false", value, place);
        return;
      case "number":
        if (typeof value !== "number") this.#wrongType("a number", value, place);
        return;
      case "list":
        this.#validateList(value, shape, place);
        return;
      case "map":
        this.#validateMap(value, shape, place);
        return;
      case "schema":
        this.#visit("schema", place);
        validateSchema(value, place, this);
        return;
      default:
        this.#validateObject(value, shape.kind, place);
    }
  }

  /** A `$ref` is followed even where the standard allows none, because many documents are written so. */
  #noteMisplaced(value: unknown, shape: Shape, place: Place): boolean {
    const reference = memberOf(value, "$ref");
    if (typeof reference !== "string" || place.pointer === "") return false;
    const kind = shape.is === "object" ? this.grammar.get(shape.kind)! : undefined;
    if (kind ? kind.mayBeReference || kind.fields.has("$ref") : !["list", "map", "text"].includes(shape.is))
      return false;
    if (shape.is === "map" && ["text", "anything"].includes(shape.of.is)) return false;
    const at = { file: place.file, pointer: childPointer(place.pointer, "$ref") };
    this.references.push({ reference, shape, place: at, misplaced: kind?.called ?? nameOf(place) });
    return true;
  }

  noteReference(reference: string, shape: Shape, place: Place): void {
    this.references.push({ reference, shape, place });
  }

  #validateText(value: unknown, shape: Shape & { is: "text" }, place: Place): void {
    if (typeof value !== "string") {
      this.#wrongType("a text", value, place);
      return;
    }
    if (shape.oneOf && !shape.oneOf.includes(value)) {
      const allowed = enumerate(shape.oneOf.map((word) => `"${word}"`));
      this.diagnostics.error(place, `${nameOf(place)} has to be ${allowed}, and is ${quoted(value)}.`);
    }
    if (shape.format === "email" && value !== "" && !/^[^\s@]+@[^\s@]+$/.test(value)) {
      this.diagnostics.warn(place, `${nameOf(place)} is not an e-mail address: ${quoted(value)}.`);
    }
    if (shape.format === "url" && /\s/.test(value.trim())) {
      this.diagnostics.warn(place, `${nameOf(place)} is not an address: ${quoted(value)}.`);
    }
  }

  #validateList(value: unknown, shape: Shape & { is: "list" }, place: Place): void {
    if (!Array.isArray(value)) {
      this.#wrongType("a list", value, place);
      return;
    }
    if (shape.least !== undefined && value.length < shape.least) {
      this.diagnostics.error(place, `${nameOf(place)} is an empty list; give at least one value or remove it.`);
    }
    for (const [index, item] of value.entries()) {
      this.validate(item, shape.of, { file: place.file, pointer: childPointer(place.pointer, index) });
    }
  }

  #validateMap(value: unknown, shape: Shape & { is: "map" }, place: Place): void {
    if (!isRecord(value)) {
      this.#wrongType("an object", value, place);
      return;
    }
    for (const name of Object.keys(value)) {
      if (name.startsWith("x-") && shape.of.is === "object" && !isRecord(value[name])) continue;
      const at = { file: place.file, pointer: childPointer(place.pointer, name) };
      if (shape.names && !shape.names.test(name)) {
        this.diagnostics.error(
          at,
          `${quoted(name)} can't be used as a name here: ${shape.namesAdvice}.`,
          `Names can't be used here: ${shape.namesAdvice}.`,
        );
      }
      this.validate(value[name], shape.of, at);
    }
  }

  #validateObject(value: unknown, kind: string, place: Place): void {
    this.#visit(kind, place);
    const definition = this.grammar.get(kind)!;
    if (!isRecord(value)) {
      this.#wrongType("an object", value, place);
      return;
    }
    const reference = memberOf(value, "$ref");
    if (definition.mayBeReference && reference !== undefined) {
      this.#validateReference(reference, kind, place);
      if (kind !== "pathItem") return;
    }
    this.#validateFields(value, definition, place);
    rulesOfKinds[kind]?.(value, place, this);
  }

  #validateReference(reference: unknown, kind: string, place: Place): void {
    const at = { file: place.file, pointer: childPointer(place.pointer, "$ref") };
    if (typeof reference === "string") this.noteReference(reference, { is: "object", kind }, at);
    else this.diagnostics.error(at, `"$ref" has to be a text like "#/components/…", and is ${kindOf(reference)}.`);
  }

  #validateFields(value: JsonRecord, definition: ObjectKind, place: Place): void {
    const { fields, others } = definition;
    for (const [name, field] of fields) {
      if (field.required && memberOf(value, name) === undefined) {
        this.diagnostics.error(place, `"${name}" is missing: ${definition.called} needs it.`);
      }
    }
    for (const name of Object.keys(value)) {
      const at = { file: place.file, pointer: childPointer(place.pointer, name) };
      const field = fields.get(name);
      if (field) this.validate(value[name], field.shape, at);
      else if (definition.takesExtensions && name.startsWith("x-")) continue;
      else if (others) {
        if (!others.names.test(name)) {
          this.diagnostics.error(
            at,
            `${quoted(name)} is not a valid name here: ${others.advice}.`,
            `This name is not valid: ${others.advice}.`,
          );
        }
        this.validate(value[name], others.shape, at);
      } else this.#reportUnknownField(name, definition, at);
    }
  }

  #reportUnknownField(name: string, { called, fields, takesExtensions }: ObjectKind, at: Place): void {
    const advice = adviseOnField(name, fields.keys(), takesExtensions, this.version);
    this.diagnostics.error(at, `${quoted(name)} is no field of ${called} in OpenAPI ${this.version}${advice}`);
  }

  #wrongType(expected: string, value: unknown, place: Place): void {
    const wantsQuotes = expected === "a text" && (typeof value === "number" || typeof value === "boolean");
    const isYaml11 = expected === "true or false" && typeof value === "string" && /^(yes|no|on|off|y|n)$/i.test(value);
    const advice = wantsQuotes
      ? ` Put it in quotes: "${value}".`
      : isYaml11
        ? ` Write ${/^(yes|on|y)$/i.test(value) ? "true" : "false"} instead of ${value}.`
        : typeof value === "string" && (value === "true" || value === "false")
          ? " Remove the quotes."
          : "";
    const called = nameOf(place);
    const rule = `has to be ${expected}, and is ${kindOf(value)}.`;
    this.diagnostics.error(place, `${called} ${rule}${advice}`, `${called.replace(/^Item \d+/, "An item")} ${rule}`);
  }
}

function roleOf(shape: Shape): string {
  return shape.is === "object" ? shape.kind : shape.is;
}

/** The last step of a pointer, for the beginning of a sentence. */
function nameOf({ pointer }: Place): string {
  const steps = pointer.split("/");
  const last = steps.at(-1)!.replaceAll("~1", "/").replaceAll("~0", "~");
  if (pointer === "") return "The document";
  return /^\d+$/.test(last) && steps.length > 2 ? `Item ${Number(last) + 1} of "${steps.at(-2)}"` : quoted(last);
}
