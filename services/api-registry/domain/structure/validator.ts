import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { getMember, isRecord, type JsonRecord } from "#libraries/json/json-value.ts";
import { type Diagnostics, type DocumentLocation, quoted } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";
import { grammar2 } from "./grammar-2.ts";
import { grammar3 } from "./grammar-3.ts";
import type { Walk } from "./rule.ts";
import { rulesOfKinds } from "./rules.ts";
import { validateSchema } from "./schema-rules.ts";
import type { Grammar, ObjectKind, Shape } from "./shapes.ts";
import { adviseOnField, describeKind, enumerate } from "./wording.ts";

export interface ReferenceFound {
  reference: string;
  /** Expected kind of the target. */
  shape: Shape;
  /** Pointer of the `$ref` itself. */
  location: DocumentLocation;
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
  validateTarget(value: unknown, shape: Shape, location: DocumentLocation): void {
    if (!this.#visited.get(`${location.file}#${location.pointer}`)?.has(toRole(shape)))
      this.validate(value, shape, location);
  }

  /**
   * Describes the target of a reference when it is of another kind than expected: where the document declares it, or
   * which field it lacks. The error is then in the reference, not in its target.
   */
  otherThan(shape: Shape, value: JsonRecord, location: DocumentLocation): string | undefined {
    const roles = this.#visited.get(`${location.file}#${location.pointer}`);
    const expected = toRole(shape);
    if (roles?.has(expected)) return undefined;
    const [role] = roles ?? [];
    if (role) return this.#called(role);
    const fields = shape.is === "object" ? this.grammar.get(shape.kind) : undefined;
    if (!fields || fields.others || getMember(value, "$ref") !== undefined) return undefined;
    const meaningful = Object.keys(value).filter((name) => !/^(x-.*|summary|description|title)$/.test(name));
    const isStrange = meaningful.length > 0 && !meaningful.some((name) => fields.fields.has(name));
    return isStrange
      ? `an object with ${enumerate(
          meaningful.slice(0, 3).map((name) => quoted(name)),
          "and",
        )}`
      : undefined;
  }

  /** The kind expected at a reference, in words. */
  expectedAs(shape: Shape): string {
    return this.#called(toRole(shape));
  }

  #called(role: string): string {
    return this.grammar.get(role)?.called ?? `a ${role}`;
  }

  #visit(role: string, { file, pointer }: DocumentLocation): void {
    const key = `${file}#${pointer}`;
    const roles = this.#visited.get(key);
    if (roles) roles.add(role);
    else this.#visited.set(key, new Set([role]));
  }

  validate(value: unknown, shape: Shape, location: DocumentLocation): void {
    if (this.#noteMisplaced(value, shape, location)) return;
    switch (shape.is) {
      case "anything":
        return;
      case "text":
        this.#validateText(value, shape, location);
        return;
      case "boolean":
        if (typeof value !== "boolean") this.#wrongType("true or false", value, location);
        return;
      case "number":
        if (typeof value !== "number") this.#wrongType("a number", value, location);
        return;
      case "list":
        this.#validateList(value, shape, location);
        return;
      case "map":
        this.#validateMap(value, shape, location);
        return;
      case "schema":
        this.#visit("schema", location);
        validateSchema(value, location, this);
        return;
      default:
        this.#validateObject(value, shape.kind, location);
    }
  }

  /** A `$ref` is followed even where the standard allows none, because many documents are written so. */
  #noteMisplaced(value: unknown, shape: Shape, location: DocumentLocation): boolean {
    const reference = getMember(value, "$ref");
    if (typeof reference !== "string" || location.pointer === "") return false;
    const kind = shape.is === "object" ? this.grammar.get(shape.kind)! : undefined;
    if (kind ? kind.mayBeReference || kind.fields.has("$ref") : !["list", "map", "text"].includes(shape.is))
      return false;
    if (shape.is === "map" && ["text", "anything"].includes(shape.of.is)) return false;
    const at = { file: location.file, pointer: childPointer(location.pointer, "$ref") };
    this.references.push({ reference, shape, location: at, misplaced: kind?.called ?? getLastName(location) });
    return true;
  }

  noteReference(reference: string, shape: Shape, location: DocumentLocation): void {
    this.references.push({ reference, shape, location });
  }

  #validateText(value: unknown, shape: Shape & { is: "text" }, location: DocumentLocation): void {
    if (typeof value !== "string") {
      this.#wrongType("a text", value, location);
      return;
    }
    if (shape.oneOf && !shape.oneOf.includes(value)) {
      const allowed = enumerate(shape.oneOf.map((word) => `"${word}"`));
      this.diagnostics.error(location, `${getLastName(location)} has to be ${allowed}, and is ${quoted(value)}.`);
    }
    if (shape.format === "email" && value !== "" && !/^[^\s@]+@[^\s@]+$/.test(value)) {
      this.diagnostics.warn(location, `${getLastName(location)} is not an email address: ${quoted(value)}.`);
    }
    if (shape.format === "url" && /\s/.test(value.trim())) {
      this.diagnostics.warn(location, `${getLastName(location)} is not an address: ${quoted(value)}.`);
    }
  }

  #validateList(value: unknown, shape: Shape & { is: "list" }, location: DocumentLocation): void {
    if (!Array.isArray(value)) {
      this.#wrongType("a list", value, location);
      return;
    }
    if (shape.least !== undefined && value.length < shape.least) {
      this.diagnostics.error(
        location,
        `${getLastName(location)} is an empty list; give at least one value or remove it.`,
      );
    }
    for (const [index, item] of value.entries()) {
      this.validate(item, shape.of, { file: location.file, pointer: childPointer(location.pointer, index) });
    }
  }

  #validateMap(value: unknown, shape: Shape & { is: "map" }, location: DocumentLocation): void {
    if (!isRecord(value)) {
      this.#wrongType("an object", value, location);
      return;
    }
    for (const name of Object.keys(value)) {
      if (name.startsWith("x-") && shape.of.is === "object" && !isRecord(value[name])) continue;
      const at = { file: location.file, pointer: childPointer(location.pointer, name) };
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

  #validateObject(value: unknown, kind: string, location: DocumentLocation): void {
    this.#visit(kind, location);
    const definition = this.grammar.get(kind)!;
    if (!isRecord(value)) {
      this.#wrongType("an object", value, location);
      return;
    }
    const reference = getMember(value, "$ref");
    if (definition.mayBeReference && reference !== undefined) {
      this.#validateReference(reference, kind, location);
      if (kind !== "pathItem") return;
    }
    this.#validateFields(value, definition, location);
    rulesOfKinds[kind]?.(value, location, this);
  }

  #validateReference(reference: unknown, kind: string, location: DocumentLocation): void {
    const at = { file: location.file, pointer: childPointer(location.pointer, "$ref") };
    if (typeof reference === "string") this.noteReference(reference, { is: "object", kind }, at);
    else
      this.diagnostics.error(at, `"$ref" has to be a text like "#/components/…", and is ${describeKind(reference)}.`);
  }

  #validateFields(value: JsonRecord, definition: ObjectKind, location: DocumentLocation): void {
    const { fields, others } = definition;
    for (const [name, field] of fields) {
      if (field.required && getMember(value, name) === undefined) {
        this.diagnostics.error(location, `"${name}" is missing: ${definition.called} needs it.`);
      }
    }
    for (const name of Object.keys(value)) {
      const at = { file: location.file, pointer: childPointer(location.pointer, name) };
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

  #reportUnknownField(name: string, { called, fields, takesExtensions }: ObjectKind, at: DocumentLocation): void {
    const advice = adviseOnField(name, fields.keys(), takesExtensions, this.version);
    this.diagnostics.error(at, `${quoted(name)} is no field of ${called} in OpenAPI ${this.version}${advice}`);
  }

  #wrongType(expected: string, value: unknown, location: DocumentLocation): void {
    const wantsQuotes = expected === "a text" && (typeof value === "number" || typeof value === "boolean");
    const isYaml11 = expected === "true or false" && typeof value === "string" && /^(yes|no|on|off|y|n)$/i.test(value);
    const advice = wantsQuotes
      ? ` Put it in quotes: "${value}".`
      : isYaml11
        ? ` Write ${/^(yes|on|y)$/i.test(value) ? "true" : "false"} instead of ${value}.`
        : typeof value === "string" && (value === "true" || value === "false")
          ? " Remove the quotes."
          : "";
    const called = getLastName(location);
    const rule = `has to be ${expected}, and is ${describeKind(value)}.`;
    this.diagnostics.error(location, `${called} ${rule}${advice}`, `${called.replace(/^Item \d+/, "An item")} ${rule}`);
  }
}

function toRole(shape: Shape): string {
  return shape.is === "object" ? shape.kind : shape.is;
}

/** The last step of a pointer, for the beginning of a sentence. */
function getLastName({ pointer }: DocumentLocation): string {
  const steps = pointer.split("/");
  const last = steps.at(-1)!.replaceAll("~1", "/").replaceAll("~0", "~");
  if (pointer === "") return "The document";
  return /^\d+$/.test(last) && steps.length > 2 ? `Item ${Number(last) + 1} of "${steps.at(-2)}"` : quoted(last);
}
