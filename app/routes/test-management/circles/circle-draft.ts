import { type CircleMember, circleMember, circlePhase } from "#contracts/test-registry/circle-members.ts";

/** Fields of the form that say who is a member: one of each a row, in the order of the rows. */
export const memberField = "member";
export const phaseField = "phase";

/** Of the part of the form that finds tests to add. */
export const finderFields = { apiId: "find-api", query: "find-query", tag: "find-tag", method: "find-method" } as const;
export const pickedField = "picked";
export const includeField = "find-include";
/** What "Add all" speaks of: the filters may have been changed since they were last looked by. */
export const selectionFields = { apiId: "selection-api", tag: "selection-tag" } as const;

const phases = circlePhase.options;

/** Members as their rows say, in the order of the rows: buttons count by it. What was made up is left out. */
export function readMembers(form: FormData): CircleMember[] {
  const given = form.getAll(phaseField);
  return form.getAll(memberField).flatMap((text, index) => {
    const member = circleMember.safeParse({ ...parseObject(text), phase: given[index] });
    return member.success ? [member.data] : [];
  });
}

/** Set-up first and tear-down last, as they run. */
export function inOrderOfPhases(members: CircleMember[]): CircleMember[] {
  return phases.flatMap((phase) => members.filter((member) => member.phase === phase));
}

function parseObject(text: FormDataEntryValue): object {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** What a row's hidden field says of its member. */
export function writeMember({ phase, ...member }: CircleMember): string {
  return JSON.stringify(member);
}

/** Does what a button of the members asks for, as in `move:3:1`; undefined when it is none of theirs. */
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

/** A member keeps its phase unless it comes to stand among those of another. */
function moved(members: CircleMember[], from: number, to: number): CircleMember[] {
  const member = members[from];
  const there = members[to];
  if (!member || !there) return members;
  return members.toSpliced(from, 1).toSpliced(to, 0, { ...member, phase: there.phase });
}
