import type { Scope } from "#contracts/kit/endpoint.ts";

/** The permissions of a scope, as a choice in a form. */
const scopeWords: Record<Scope, { name: string; may: string }> = {
  "apis:read": { name: "Read APIs", may: "APIs, their documents and operations." },
  "apis:write": { name: "Change APIs", may: "Register, import new versions, delete." },
  "tests:read": { name: "Read tests and results", may: "Tests, circles, runs, incidents and trends." },
  "tests:propose": { name: "Propose tests", may: "Drafts that a person accepts in the portal: what assistants need." },
  "tests:write": { name: "Change tests", may: "Tests, circles, schedules, alert rules and channels." },
  "tests:run": { name: "Run tests", may: "Start and cancel runs: what continuous integration needs." },
  "users:manage": { name: "Manage people", may: "Users, roles and invitations." },
  "credentials:manage": { name: "Manage credentials", may: "Create, change and delete them; secrets stay unreadable." },
  "domains:manage": { name: "Manage domains", may: "Add domains and have them verified." },
  "billing:manage": { name: "Manage billing", may: "Subscriptions, payments and the billing address." },
  "system:manage": { name: "Operate the installation", may: "All operator permissions." },
};

/** A scope of a newer version only has its own name. */
export const scopeName = (scope: string): string => scopeWords[scope as Scope]?.name ?? scope;
export const scopeMay = (scope: string): string => scopeWords[scope as Scope]?.may ?? "";
