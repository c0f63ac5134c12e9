import type { Scope } from "#contracts/kit/endpoint.ts";

export const roles = ["SYSTEM_ADMIN", "ADMIN", "EDITOR", "VIEWER"] as const;
export type Role = (typeof roles)[number];

const reading: Scope[] = ["apis:read", "tests:read"];
const editing: Scope[] = [...reading, "apis:write", "tests:propose", "tests:write", "tests:run"];

const scopesByRole: Record<Role, Scope[]> = {
  SYSTEM_ADMIN: ["system:manage"],
  ADMIN: [...editing, "users:manage", "credentials:manage", "domains:manage", "billing:manage"],
  EDITOR: editing,
  VIEWER: reading,
};

/** Scopes that these roles give; an unknown role (of a newer version, for example) gives none. */
export function getScopes(held: readonly string[]): Scope[] {
  const granted = held.flatMap((role) => (Object.hasOwn(scopesByRole, role) ? scopesByRole[role as Role] : []));
  return [...new Set(granted)].sort();
}
