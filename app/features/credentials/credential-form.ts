import { z } from "zod";
import { credentialTypes, typesOfCredentials } from "#contracts/security-service/credential-types/settings.ts";
import {
  type CredentialInput,
  type CredentialSettings,
  credentialInput,
} from "#contracts/security-service/credentials.ts";
import { credentialKinds } from "~/features/credentials/kinds/kinds";
import { findReferenceErrors, secretSources, toReference } from "./secret-source";

/** Fields as the form sends them: empty fields are missing. They become a `CredentialInput`. */
const fields = z.object({
  name: z.string().default(""),
  domain: z.string().default(""),
  type: z.enum(credentialTypes, { error: "Choose a type" }),
  settings: credentialInput.shape.settings.default({}),
  secret: z.string().optional(),
  secretFrom: z.enum(secretSources).default("stored"),
  vaultPath: z.string().default(""),
  vaultKey: z.string().default(""),
  environmentName: z.string().default(""),
});
export type CredentialFields = z.infer<typeof fields>;

/** The default type. */
export const newSettings: CredentialSettings = Object.assign(
  {},
  ...Object.values(credentialKinds).map(({ chosen }) => chosen),
);

/**
 * The service's own rules plus what the chosen type requires, reported together; the service would report one after the
 * other.
 */
function addErrors(given: CredentialFields, secretNeeded: boolean, error: (path: string[], message: string) => void) {
  const { type, settings, secretFrom } = given;
  for (const { path, message } of credentialInput.safeParse(given).error?.issues ?? [])
    error(path.map(String), message);
  typesOfCredentials[type].check(settings, (name: string, message: string) => error(["settings", name], message));
  if (secretNeeded && secretFrom === "stored" && !given.secret) error(["secret"], "Enter the secret");
  for (const { path, message } of findReferenceErrors(given)) error([path], message);
}

const formFor = (secretNeeded: boolean) =>
  fields
    .superRefine((given, context) => {
      addErrors(given, secretNeeded, (path, message) => context.addIssue({ code: "custom", path, message }));
    })
    .transform(({ name, domain, type, settings, secret, ...source }): CredentialInput => {
      const reference = toReference(source);
      return { name, domain, type, settings, secret: reference ? undefined : secret, reference };
    });

export const newCredentialForm = formFor(true);
/** A stored secret stays when none is given; the service decides when it has to be given again. */
export const storedCredentialForm = formFor(false);
