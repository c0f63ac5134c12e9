import { type CircleMember, circleMember, circlePhase } from "#contracts/test-registry/circle-members.ts";

/** Form fields of the members: one of each per row, in the order of the rows. */
export const memberField = "member";
export const phaseField = "phase";
/** Of the row that this number names in its hidden field: not every row has one. */
export const effectField = (row: number) => `effect-${row}`;

/** Fields of the form's part that finds tests to add. */
export const finderFields = { apiId: "find-api", query: "find-query", tag: "find-tag", method: "find-method" } as const;
export const pickedField = "picked";
export const includeField = "find-include";
/** The filters that "Add all" applies; those in the form may have changed since the last search. */
export const selectionFields = { apiId: "selection-api", tag: "selection-tag" } as const;

const phasesInOrder = circlePhase.options;

/** Members from the form's rows, in the order of the rows, which is how buttons count them. Invalid rows are dropped. */
export function readMembers(form: FormData): CircleMember[] {
  const phases = form.getAll(phaseField);
  return form.getAll(memberField).flatMap((text, index) => {
    const given: { row?: unknown; effect?: unknown } = parseObject(text);
    const chosen = form.get(effectField(Number(given.row)));
    const effect = chosen === null ? given.effect : chosen || undefined;
    const member = circleMember.safeParse({ ...given, phase: phases[index], effect });
    return member.success ? [member.data] : [];
  });
}

/** Set-up first and tear-down last, as they run. */
export function inOrderOfPhases(members: CircleMember[]): CircleMember[] {
  return phasesInOrder.flatMap((phase) => members.filter((member) => member.phase === phase));
}

function parseObject(text: FormDataEntryValue): object {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Value of a row's hidden field. */
export function writeMember({ phase, ...member }: CircleMember, row: number): string {
  return JSON.stringify({ ...member, row });
}

/** Handles a button of the members, e.g. `move:3:1`; undefined for other buttons. */
export function changeMembers(members: CircleMember[], intent: string, form: FormData): CircleMember[] | undefined {
  const [name, ...numbers] = intent.split(":");
  const [from = -1, to = -1] = numbers.map(Number);
  const text = (field: string) => String(form.get(field) ?? "").trim();
  switch (name) {
    case "move":
      return moved(members, from, to);
    case "remove":
      return members.toSpliced(from, 1);
    case "add":
      return [...members, ...form.getAll(pickedField).flatMap((testId) => readMember({ kind: "test", testId }))];
    case "add-selection": {
      const tag = text(selectionFields.tag) || undefined;
      const include = text(includeField) || undefined;
      return [...members, ...readMember({ kind: "selection", apiId: text(selectionFields.apiId), tag, include })];
    }
    case "find":
    case "check":
      return members;
  }
  return undefined;
}

function readMember(given: object): CircleMember[] {
  const member = circleMember.safeParse(given);
  return member.success ? [member.data] : [];
}

/** A member keeps its phase unless it moves among those of another. */
function moved(members: CircleMember[], from: number, to: number): CircleMember[] {
  const member = members[from];
  const there = members[to];
  if (!member || !there) return members;
  return members.toSpliced(from, 1).toSpliced(to, 0, { ...member, phase: there.phase });
}
