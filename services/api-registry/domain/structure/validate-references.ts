import { getMember, isRecord } from "#libraries/json/json-value.ts";
import { quoted, quotedAddress } from "../diagnostics.ts";
import { type DocumentSet, findTarget, referenceTo, splitReference, type Target } from "../references/document-set.ts";
import type { Grafts } from "../references/graft.ts";
import type { FileLoader } from "../references/load-files.ts";
import { toTokens } from "../references/pointer.ts";
import type { ReferenceFound, Validator } from "./validator.ts";
import { describeKind } from "./wording.ts";

/** A longer circle of bare references is not a slip; searching further would cost the square of a chain's length. */
const longestCircle = 10;

/** How references are followed: loaded files and inlined parts. */
export interface ReferenceWays {
  loader: FileLoader;
  grafts: Grafts;
}

/**
 * Follows the references recorded by the validator, loading files on the way, and validates each target, until no new
 * ones are recorded.
 */
export async function validateReferences(
  set: DocumentSet,
  { loader, grafts }: ReferenceWays,
  validator: Validator,
): Promise<void> {
  const reported = new Set<string>();
  const known = new Map<string, Target>();
  for (let next = validator.references.pop(); next; next = validator.references.pop()) {
    const { reference, shape, location } = next;
    const key = `${location.file}\n${reference}\n${shape.is === "object" ? shape.kind : shape.is}`;
    if (known.has(key) && !next.misplaced) continue;
    const { filePart } = splitReference(reference);
    const reason =
      filePart === "" || findTarget(set, location.file, reference)
        ? undefined
        : await loader.load(location.file, filePart);
    const target = reason === undefined ? findTarget(set, location.file, reference) : undefined;
    if (target && next.misplaced) inlineTarget(target, next, grafts, validator);
    else if (target) {
      known.set(key, target);
      validateTarget(target, next, set, validator);
    } else if (!reported.has(`${key}\n${location.pointer}`)) {
      reported.add(`${key}\n${location.pointer}`);
      const why = reason ?? `there is no ${missingPart(set, location.file, reference)}`;
      validator.diagnostics.error(location, `The reference ${quotedAddress(reference)} leads nowhere: ${why}.`);
    }
  }
}

function inlineTarget(
  target: Target,
  { reference, shape, location, misplaced }: ReferenceFound,
  grafts: Grafts,
  validator: Validator,
): void {
  const holder = { file: location.file, pointer: location.pointer.slice(0, location.pointer.lastIndexOf("/")) };
  const value = grafts.put(holder, target);
  if (value === undefined) {
    validator.diagnostics.error(
      location,
      `The reference ${quotedAddress(reference)} goes round in a circle: what it leads to holds this place itself.`,
    );
    return;
  }
  validator.diagnostics.warn(
    location,
    `"$ref" has no meaning in ${misplaced} in OpenAPI ${validator.version}, so other tools may not follow it. Here it was followed.`,
  );
  validator.validate(value, shape, holder);
}

function validateTarget(
  target: Target,
  { reference, shape, location }: ReferenceFound,
  set: DocumentSet,
  validator: Validator,
): void {
  const { value } = target;
  if (!isRecord(value) && !(shape.is === "schema" && typeof value === "boolean")) {
    validator.diagnostics.error(
      location,
      `The reference ${quotedAddress(reference)} leads to ${describeKind(value)}, where an object is expected.`,
    );
    return;
  }
  const other = isRecord(value) ? validator.otherThan(shape, value, target) : undefined;
  if (other) {
    validator.diagnostics.error(
      location,
      `The reference ${quotedAddress(reference)} leads to ${other}, where ${validator.expectedAs(shape)} is expected.`,
    );
    return;
  }
  if (isCircle(target, set)) {
    validator.diagnostics.error(
      location,
      `The reference ${quotedAddress(reference)} goes round in a circle: what it leads to is only a reference back.`,
    );
    return;
  }
  validator.validateTarget(value, shape, { file: target.file, pointer: target.pointer });
}

/** True when following references alone returns to the start. */
function isCircle(start: Target, set: DocumentSet): boolean {
  let target: Target | undefined = start;
  const first = referenceTo(start);
  for (let hops = 0; hops < longestCircle; hops++) {
    const reference = getMember(target?.value, "$ref");
    if (typeof reference !== "string" || (isRecord(target?.value) && Object.keys(target.value).length > 3))
      return false;
    target = findTarget(set, target!.file, reference);
    if (target && referenceTo(target) === first) return true;
  }
  return false;
}

/** The first missing step of the pointer, in words. */
function missingPart(set: DocumentSet, file: string, reference: string): string {
  const { filePart, fragment } = splitReference(reference);
  if (!fragment.startsWith("/")) return fragment ? `anchor ${quoted(fragment)}` : "such file";
  const steps = toTokens(fragment);
  for (let count = 1; count <= steps.length; count++) {
    const upTo = `${filePart}#/${fragment.slice(1).split("/").slice(0, count).join("/")}`;
    if (findTarget(set, file, upTo)) continue;
    const holder = steps.slice(0, count - 1).join(".");
    return `${quoted(steps[count - 1]!)} in ${holder || "the document"}`;
  }
  return "such place";
}
