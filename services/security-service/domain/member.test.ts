import { expect, test } from "vitest";
import { findMemberChangeProblem, inOrder, type MemberChange } from "./member.ts";

const administrator = { roles: ["ADMIN"], disabled: false };
function getFault(change: Partial<MemberChange>) {
  return findMemberChangeProblem({
    before: administrator,
    after: administrator,
    hasOtherAdministrator: true,
    isOwnAccount: false,
    isOperator: false,
    ...change,
  })?.code;
}

test("the last administrator can neither be disabled nor lose the role", () => {
  for (const after of [
    { roles: ["ADMIN"], disabled: true },
    { roles: ["EDITOR"], disabled: false },
  ]) {
    expect(getFault({ after })).toBeUndefined();
    expect(getFault({ after, hasOtherAdministrator: false })).toBe("conflict");
  }
});

test("a disabled member is not an administrator, so removing their role is allowed", () => {
  const before = { roles: ["ADMIN"], disabled: true };
  expect(
    getFault({ before, after: { roles: ["VIEWER"], disabled: true }, hasOtherAdministrator: false }),
  ).toBeUndefined();
});

test("users can change but not disable their own account", () => {
  expect(getFault({ after: { roles: ["ADMIN"], disabled: true }, isOwnAccount: true })).toBe("conflict");
  expect(getFault({ isOwnAccount: true })).toBeUndefined();
});

test("T05: users cannot grant themselves rights, and a role that adds no rights is not a grant", () => {
  const viewer = { roles: ["VIEWER"], disabled: false };
  const withMore = { roles: ["VIEWER", "EDITOR"], disabled: false };
  expect(getFault({ before: viewer, after: withMore, isOwnAccount: true })).toBe("forbidden");
  expect(getFault({ before: viewer, after: withMore })).toBeUndefined();
  expect(getFault({ after: { roles: ["ADMIN", "EDITOR"], disabled: false }, isOwnAccount: true })).toBeUndefined();
});

test("a user has at least one role", () => {
  expect(getFault({ before: { roles: ["VIEWER"], disabled: false }, after: { roles: [], disabled: false } })).toBe(
    "conflict",
  );
});

test("T06: an operator's account is changed by operators only, whatever the change", () => {
  const before = { roles: ["SYSTEM_ADMIN", "ADMIN"], disabled: false };
  expect(getFault({ before, after: before })).toBe("forbidden");
  expect(getFault({ before, after: before, isOperator: true })).toBeUndefined();
});

test("roles are listed in their usual order, each once", () => {
  expect(inOrder(["VIEWER", "ADMIN", "SYSTEM_ADMIN", "VIEWER"])).toEqual(["SYSTEM_ADMIN", "ADMIN", "VIEWER"]);
  expect(inOrder(["OF_A_NEWER_VERSION", "EDITOR"])).toEqual(["EDITOR", "OF_A_NEWER_VERSION"]);
});
