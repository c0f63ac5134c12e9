import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { isRecord, type JsonRecord, toList, toRecord, toText, toTexts } from "#libraries/json/json-value.ts";
import { longestPath } from "../description/describe-document.ts";
import { operationsOfPathItem } from "../description/path-items.ts";
import { type Diagnostics, type DocumentLocation, quoted, quotedAddress, quotedPair } from "../diagnostics.ts";
import { type DocumentSet, resolve } from "../references/document-set.ts";
import { childPointer } from "../references/pointer.ts";
import { findMisspeltParameters, findPathParameters } from "./path-parameters.ts";

/** Rules that look at the document as a whole: unique ids, paths and their parameters, names of security schemes. */
export function validateWhole(set: DocumentSet, diagnostics: Diagnostics): void {
  const root = toRecord(set.files.get("")?.value);
  const whole = new WholeDocument(set, root, diagnostics);
  whole.validatePaths(toRecord(root.paths));
  if (set.version === "3.1" || set.version === "3.2") whole.validateWebhooks(toRecord(root.webhooks));
  whole.validateSecurity(root.security, { file: "", pointer: "/security" });
  validateTags(root, diagnostics);
}

class WholeDocument {
  readonly #operationIds = new Map<string, string>();
  readonly #misspelt = new Set<string>();
  readonly #schemes: Set<string>;
  readonly #version: SpecificationVersion;

  constructor(
    private readonly set: DocumentSet,
    private readonly root: JsonRecord,
    private readonly diagnostics: Diagnostics,
  ) {
    this.#version = set.version;
    const named = set.version === "2.0" ? root.securityDefinitions : toRecord(root.components).securitySchemes;
    this.#schemes = new Set(Object.keys(toRecord(named)));
  }

  validatePaths(paths: JsonRecord): void {
    const byShape = new Map<string, string>();
    for (const path of Object.keys(paths)) {
      if (path.startsWith("x-")) continue;
      const location = { file: "", pointer: childPointer("/paths", path) };
      const shape = path.replace(/\{[^/{}]*\}/g, "{}");
      const other = byShape.get(shape);
      if (other !== undefined) {
        this.diagnostics.error(
          location,
          `${quotedPair(path, other).join(" and ")} match the same addresses; describe them as one path.`,
        );
      }
      byShape.set(shape, path);
      if (path.length > longestPath)
        this.diagnostics.error(location, `This path is longer than ${longestPath} characters, so it is left out.`);
      if (/[?#]/.test(path)) {
        this.#reportQuery(path, paths, location);
      }
      this.#validateItem(path, paths[path], location, true);
    }
  }

  /** Several operations may differ in their query alone, which OpenAPI can't describe; then there is no advice. */
  #reportQuery(path: string, paths: JsonRecord, location: DocumentLocation): void {
    const bare = getPathPart(path);
    const isShared = Object.keys(paths).some((other) => other !== path && getPathPart(other) === bare);
    if (isShared || bare === "") {
      this.diagnostics.warn(
        location,
        `${quotedAddress(path)} has a query or fragment in it, which other tools may not follow.`,
        "Paths have a query or fragment in them, which other tools may not follow.",
      );
      return;
    }
    const names = [...findPathParameters(path)].filter((name) => !findPathParameters(bare).has(name));
    const listed = names.length > 0 ? names.map((name) => quoted(name)).join(", ") : "what follows";
    this.diagnostics.warn(
      location,
      `${quotedAddress(path)} has a query or fragment in it: write ${quotedAddress(bare)}, and describe ${listed} as parameters with in: "query".`,
      'Paths have a query or fragment in them: write them without, and describe parameters with in: "query".',
    );
  }

  validateWebhooks(webhooks: JsonRecord): void {
    for (const name of Object.keys(webhooks)) {
      this.#validateItem(name, webhooks[name], { file: "", pointer: childPointer("/webhooks", name) }, false);
    }
  }

  #validateItem(path: string, raw: unknown, location: DocumentLocation, hasTemplate: boolean): void {
    const item = resolve(this.set, { ...location, value: raw });
    if (!item || !isRecord(item.value)) return;
    const base = item.pointer === "" && item.file === "" ? location : { file: item.file, pointer: item.pointer };
    const ofPath = this.#pathParameters(item.value.parameters, base);
    for (const { method, value, pointer } of operationsOfPathItem(item.value, this.#version)) {
      const at = { file: base.file, pointer: base.pointer + pointer };
      this.#validateOperationId(value, `${method.toUpperCase()} ${path}`, at);
      this.validateSecurity(value.security, { file: at.file, pointer: `${at.pointer}/security` });
      if (hasTemplate) this.#validateTemplate(path, value, at, ofPath, location);
      if (this.#version === "2.0") this.#validateSwaggerBody(value, item.value, at);
    }
  }

  #validateOperationId(operation: JsonRecord, called: string, at: DocumentLocation): void {
    const id = toText(operation.operationId);
    if (id === "") return;
    const other = this.#operationIds.get(id);
    if (other !== undefined) {
      this.diagnostics.error(
        { file: at.file, pointer: `${at.pointer}/operationId` },
        `The operationId ${quoted(id)} belongs to ${other} already; each operation needs one of its own.`,
        "An operationId belongs to another operation already; each operation needs one of its own.",
      );
    } else this.#operationIds.set(id, called);
  }

  #pathParameters(value: unknown, base: DocumentLocation): Map<string, DocumentLocation> {
    const found = new Map<string, DocumentLocation>();
    for (const [index, raw] of toList(value).entries()) {
      const location = { file: base.file, pointer: `${base.pointer}/parameters/${index}` };
      const parameter = resolve(this.set, { ...location, value: raw })?.value;
      if (isRecord(parameter) && parameter.in === "path") found.set(toText(parameter.name), location);
    }
    return found;
  }

  /** One cause for all operations of the path, and for all paths in the same syntax. */
  #reportMisspelt(path: string, name: string, written: string, location: DocumentLocation): void {
    const key = `${path} ${written}`;
    if (this.#misspelt.has(key)) return;
    this.#misspelt.add(key);
    const kind = written.replace(name, "id");
    this.diagnostics.cause(
      location,
      `${quoted(written)} of ${quotedAddress(path)} is no path parameter: write {${name}}.`,
      `Path parameters are written in braces, e.g. {id}; these paths write them as ${kind}.`,
    );
  }

  #validateTemplate(
    path: string,
    operation: JsonRecord,
    at: DocumentLocation,
    ofPath: Map<string, DocumentLocation>,
    atLocation: DocumentLocation,
  ): void {
    const inTemplate = findPathParameters(getPathPart(path));
    const inQuery = findPathParameters(path);
    const ofOperation = this.#pathParameters(operation.parameters, at);
    const described = new Map([...ofPath, ...ofOperation]);
    const misspelt = findMisspeltParameters(path, (name) => described.has(name));
    for (const name of inTemplate) {
      if (described.has(name) || misspelt.some(({ written }) => written === `{${name}}`)) continue;
      this.diagnostics.error(
        at,
        `The path has {${name.slice(0, 60)}} in it, but no parameter describes it: add one with in: "path" and this name.`,
        'Paths have places in braces that no parameter describes: add parameters with in: "path" and their names.',
      );
    }
    for (const [name, location] of described) {
      if (inTemplate.has(name) || misspelt.some((one) => one.name === name)) continue;
      const advice = inQuery.has(name)
        ? 'it is in the query, so describe it with in: "query"'
        : `write {${name}} into the path, or remove the parameter`;
      this.diagnostics.error(
        location,
        `The path parameter ${quoted(name)} is nowhere in the path ${quotedAddress(path)}: ${advice}.`,
        inQuery.has(name)
          ? 'Path parameters are in the query of their paths: describe them with in: "query".'
          : "Some path parameters are not in their paths: add their names in braces to the path, or remove them.",
      );
    }
    for (const { name, written } of misspelt) this.#reportMisspelt(path, name, written, atLocation);
  }

  /** The operation's parameters, including those of its path that it does not override. */
  #validateSwaggerBody(operation: JsonRecord, item: JsonRecord, at: DocumentLocation): void {
    const sent = new Map<string, JsonRecord>();
    for (const raw of [...toList(item.parameters), ...toList(operation.parameters)]) {
      const parameter = resolve(this.set, { ...at, value: raw })?.value;
      if (isRecord(parameter)) sent.set(`${toText(parameter.in)} ${toText(parameter.name)}`, parameter);
    }
    const bodies = [...sent.values()].filter((parameter) => parameter.in === "body");
    const fields = [...sent.values()].filter((parameter) => parameter.in === "formData");
    if (bodies.length > 1) {
      this.diagnostics.error(at, "An operation can have only one body parameter, those of its path counted.");
    }
    if (bodies.length > 0 && fields.length > 0) {
      this.diagnostics.error(
        at,
        "An operation can't have both a body parameter and formData parameters, including those of its path; keep one kind.",
      );
    }
    if (!fields.some(({ type }) => type === "file")) return;
    const consumes = toTexts(operation.consumes ?? this.root.consumes);
    if (consumes.some((type) => /^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type))) return;
    this.diagnostics.error(at, 'This operation takes a file, so it needs consumes: ["multipart/form-data"].');
  }

  validateSecurity(value: unknown, location: DocumentLocation): void {
    for (const [index, requirement] of toList(value).entries()) {
      for (const name of Object.keys(toRecord(requirement))) {
        if (this.#schemes.has(name) || (this.#version === "3.2" && /[/#:]/.test(name))) continue;
        const where = this.#version === "2.0" ? "securityDefinitions" : "components.securitySchemes";
        this.diagnostics.error(
          { file: location.file, pointer: childPointer(childPointer(location.pointer, index), name) },
          `There is no security scheme ${quoted(name)}; describe it in ${where}.`,
        );
      }
    }
  }
}

/** Without query and fragment. */
function getPathPart(path: string): string {
  return path.replace(/[?#].*$/, "");
}

function validateTags(root: JsonRecord, diagnostics: Diagnostics): void {
  const seen = new Set<string>();
  for (const [index, tag] of toList(root.tags).entries()) {
    const name = toText(toRecord(tag).name);
    if (name !== "" && seen.has(name)) {
      diagnostics.error(
        { file: "", pointer: `/tags/${index}` },
        `The tag ${quoted(name)} is described twice; keep one.`,
      );
    }
    seen.add(name);
  }
}
