import { getScopes, type Role, roles } from "./roles.ts";

/** An organization's account, as far as the rules for changing it need it. */
export interface MemberState {
  roles: string[];
  disabled: boolean;
}

export interface MemberChange {
  before: MemberState;
  after: MemberState;
  /** Whether another user could still administrate the organization. */
  hasOtherAdministrator: boolean;
  /** The caller changes their own account. */
  isOwnAccount: boolean;
  /** The caller operates this installation. */
  isOperator: boolean;
}

const operatorRole = "SYSTEM_ADMIN";
const administrates = ({ roles, disabled }: MemberState) => roles.includes("ADMIN") && !disabled;

/** Why a change of a member is refused; undefined when it is allowed. */
export function findMemberChangeProblem(
  change: MemberChange,
): { code: "forbidden" | "conflict"; detail: string } | undefined {
  const { before, after } = change;
  // Otherwise an administrator could give an operator's account their own address and reset its password by email.
  if (before.roles.includes(operatorRole) && !change.isOperator) {
    return { code: "forbidden", detail: "Only an operator of this installation may change an operator's account." };
  }
  const held = getScopes(before.roles);
  if (change.isOwnAccount && getScopes(after.roles).some((scope) => !held.includes(scope))) {
    return { code: "forbidden", detail: "You can't give yourself rights. Ask another administrator." };
  }
  if (change.isOwnAccount && after.disabled && !before.disabled) {
    return { code: "conflict", detail: "You can't disable your own account. Ask another administrator." };
  }
  if (administrates(before) && !administrates(after) && !change.hasOtherAdministrator) {
    return {
      code: "conflict",
      detail: "The organization would have no administrator. Make someone else an administrator first.",
    };
  }
  if (after.roles.length === 0) {
    return { code: "conflict", detail: "A user holds at least one role. Disable the account to shut it out." };
  }
  return undefined;
}

/** Roles in their usual order, each once; roles of a newer version come last. */
export function inOrder(held: Iterable<string>): string[] {
  const rank = (role: string) => (roles.includes(role as Role) ? roles.indexOf(role as Role) : roles.length);
  return [...new Set(held)].sort((a, b) => rank(a) - rank(b));
}
