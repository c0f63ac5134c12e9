/** Name of a role, and what it permits. */
const words: Record<string, { name: string; may: string }> = {
  SYSTEM_ADMIN: {
    name: "Operator",
    may: "Operates this installation, its plans and all subscriptions. Assigned at installation.",
  },
  ADMIN: {
    name: "Administrator",
    may: "Manages people, domains, credentials and billing. Includes all editor permissions.",
  },
  EDITOR: {
    name: "Editor",
    may: "Can register APIs and write, run and schedule tests. Can use credentials but not read secrets.",
  },
  VIEWER: { name: "Viewer", may: "Can view APIs, tests and results." },
};

/** Roles of an organization, the most powerful first. */
export const givenRoles = ["ADMIN", "EDITOR", "VIEWER"] as const;
export type GivenRole = (typeof givenRoles)[number];

/** A role of a newer version is shown by its identifier. */
export const roleName = (role: string): string => words[role]?.name ?? role;
export const roleMay = (role: string): string => words[role]?.may ?? "";

/** Within a sentence: `an administrator`. */
export const aRole = (role: string): string => {
  const name = roleName(role).toLowerCase();
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
};

/** `Administrator, Viewer`. */
export const rolesInWords = (roles: readonly string[]): string => roles.map(roleName).join(", ");
