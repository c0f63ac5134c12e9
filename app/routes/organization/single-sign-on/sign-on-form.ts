import { z } from "zod";
import {
  type SingleSignOn,
  type SingleSignOnInput,
  singleSignOnInput,
} from "#contracts/security-service/single-sign-on.ts";
import { givenRoles } from "~/features/people/role-words";

const { issuer, clientId, rolesClaim } = singleSignOnInput.shape;
const lines = z.string().max(10_000, "Use at most 10,000 characters").optional();

/** The raw input: the values that grant a role, one per line. */
export const signOnForm = z.object({
  issuer,
  clientId,
  secret: z.string().max(2_000, "Use at most 2,000 characters").optional(),
  domains: z.array(z.string()).min(1, "Choose at least one domain"),
  rolesClaim: rolesClaim.optional(),
  roles: z.object({ ADMIN: lines, EDITOR: lines, VIEWER: lines }).optional(),
  usualRole: z.enum(givenRoles).optional(),
  unknownPeople: z.enum(["created", "refused"]),
  isRequired: z.literal("on").optional(),
});
export type SignOnForm = z.infer<typeof signOnForm>;

const valuesIn = (text = "") =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

export function toSettings(form: SignOnForm): SingleSignOnInput {
  return {
    ...{ issuer: form.issuer, clientId: form.clientId, domains: form.domains },
    ...(form.secret ? { clientSecret: form.secret } : {}),
    rolesClaim: form.rolesClaim ?? "",
    roles: givenRoles.flatMap((role) => valuesIn(form.roles?.[role]).map((value) => ({ value, role }))),
    usualRole: form.usualRole ?? null,
    createsAccounts: form.unknownPeople === "created",
    isRequired: form.isRequired === "on",
  };
}

/** Initial values of the form. @param domains the choices; a single one is preselected */
export function toFormValues(known: SingleSignOn | null, domains: string[]): Partial<SignOnForm> {
  if (!known) {
    return { domains: domains.length === 1 ? domains : [], usualRole: "VIEWER", unknownPeople: "created" };
  }
  const valuesFor = (wanted: string) =>
    known.roles
      .filter(({ role }) => role === wanted)
      .map(({ value }) => value)
      .join("\n");
  return {
    ...{ issuer: known.issuer, clientId: known.clientId, domains: known.domains, rolesClaim: known.rolesClaim },
    roles: { ADMIN: valuesFor("ADMIN"), EDITOR: valuesFor("EDITOR"), VIEWER: valuesFor("VIEWER") },
    ...(known.usualRole ? { usualRole: known.usualRole } : {}),
    unknownPeople: known.createsAccounts ? "created" : "refused",
    ...(known.isRequired ? { isRequired: "on" as const } : {}),
  };
}

/** Maps the path of an error in the service's refusal to the form's field. */
export const toField = (path: string): string =>
  path === "clientSecret" ? "secret" : path.startsWith("roles") && path !== "rolesClaim" ? "roles" : path;
