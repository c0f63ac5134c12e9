import type { Change, ChangeContext, CodeContext, Fail } from "../../../kit/code/code-kind.ts";

/** A circle has at most one of a kind: its id and key are the circle's. */
export const ofCircle = {
  idColumn: "test_circle_id",
  keyText: "test_circle_id::text",
  toKey: (circleId: string, { references }: CodeContext) => references.keyOf("circle", circleId) ?? "deleted",
};

/** Reports a circle that does not exist. */
export function requireCircle({ key, id }: Change, { references }: ChangeContext, fail: Fail): void {
  if (references.idOf("circle", key) !== id) fail("", `There is no circle ${key}`);
}
