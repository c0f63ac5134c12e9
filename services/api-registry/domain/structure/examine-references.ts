import { isRecord, memberOf } from "../../../kit/json/json-value.ts";
import { quoted } from "../findings.ts";
import { type DocumentSet, findTarget, referenceTo, splitReference, type Target } from "../references/document-set.ts";
import type { FileLoader } from "../references/load-files.ts";
import { tokensOf } from "../references/pointer.ts";
import type { Examiner, ReferenceFound } from "./examiner.ts";
import { kindOf } from "./wording.ts";

/** A circle of bare references longer than this is no slip; looking further would cost the square of a chain's length. */
const longestCircle = 10;

/** Follows what the examiner noted, bringing in files on the way, and examines each target; until nothing new is noted. */
export async function examineReferences(set: DocumentSet, loader: FileLoader, examiner: Examiner): Promise<void> {
  const reported = new Set<string>();
  const known = new Map<string, Target>();
  for (let next = examiner.references.pop(); next; next = examiner.references.pop()) {
    const { reference, shape, place } = next;
    const key = `${place.file}\n${reference}\n${shape.is === "object" ? shape.kind : shape.is}`;
    if (known.has(key)) continue;
    const { filePart } = splitReference(reference);
    const reason =
      filePart === "" || findTarget(set, place.file, reference) ? undefined : await loader.load(place.file, filePart);
    const target = reason === undefined ? findTarget(set, place.file, reference) : undefined;
    if (target) {
      known.set(key, target);
      examineTarget(target, next, set, examiner);
    } else if (!reported.has(`${key}\n${place.pointer}`)) {
      reported.add(`${key}\n${place.pointer}`);
      const why = reason ?? `there is no ${missingPart(set, place.file, reference)}`;
      examiner.findings.error(place, `The reference ${quoted(reference)} leads nowhere: ${why}.`);
    }
  }
}

function examineTarget(
  target: Target,
  { reference, shape, place }: ReferenceFound,
  set: DocumentSet,
  examiner: Examiner,
): void {
  const { value } = target;
  if (!isRecord(value) && !(shape.is === "schema" && typeof value === "boolean")) {
    examiner.findings.error(
      place,
      `The reference ${quoted(reference)} leads to ${kindOf(value)}, where an object is expected.`,
    );
    return;
  }
  if (isCircle(target, set)) {
    examiner.findings.error(
      place,
      `The reference ${quoted(reference)} goes round in a circle: what it leads to is only a reference back.`,
    );
    return;
  }
  examiner.examineTarget(value, shape, { file: target.file, pointer: target.pointer });
}

/** True when following references alone comes back to the start. */
function isCircle(start: Target, set: DocumentSet): boolean {
  let target: Target | undefined = start;
  const first = referenceTo(start);
  for (let hops = 0; hops < longestCircle; hops++) {
    const reference = memberOf(target?.value, "$ref");
    if (typeof reference !== "string" || (isRecord(target?.value) && Object.keys(target.value).length > 3))
      return false;
    target = findTarget(set, target!.file, reference);
    if (target && referenceTo(target) === first) return true;
  }
  return false;
}

/** The first step of the pointer that is not there, in words. */
function missingPart(set: DocumentSet, file: string, reference: string): string {
  const { filePart, fragment } = splitReference(reference);
  if (!fragment.startsWith("/")) return fragment ? `anchor ${quoted(fragment)}` : "such file";
  const steps = tokensOf(fragment);
  for (let count = 1; count <= steps.length; count++) {
    const upTo = `${filePart}#/${fragment.slice(1).split("/").slice(0, count).join("/")}`;
    if (findTarget(set, file, upTo)) continue;
    const holder = steps.slice(0, count - 1).join(".");
    return `${quoted(steps[count - 1]!)} in ${holder || "the document"}`;
  }
  return "such place";
}
