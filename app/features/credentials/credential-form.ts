import { z } from "zod";
import { credentialTypes, typesOfCredentials } from "#contracts/security-service/credential-types/settings.ts";
import { type CredentialSettings, credentialInput } from "#contracts/security-service/credentials.ts";
import { credentialKinds } from "~/features/credentials/kinds/kinds";

/** Fields as the form sends them: empty fields are missing. The result is a `CredentialInput`. */
const fields = z.object({
  name: z.string().default(""),
  domain: z.string().default(""),
  type: z.enum(credentialTypes, { error: "Choose a type" }),
  settings: credentialInput.shape.settings.default({}),
  secret: z.string().optional(),
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
  const { type, settings } = given;
  for (const { path, message } of credentialInput.safeParse(given).error?.issues ?? [])
    error(path.map(String), message);
  typesOfCredentials[type].check(settings, (name: string, message: string) => error(["settings", name], message));
  if (secretNeeded && !given.secret) error(["secret"], "Enter the secret");
}

const formFor = (secretNeeded: boolean) =>
  fields.superRefine((given, context) => {
    addErrors(given, secretNeeded, (path, message) => context.addIssue({ code: "custom", path, message }));
  });

export const newCredentialForm = formFor(true);
/** A stored secret stays when none is given; the service decides when it has to be given again. */
export const storedCredentialForm = formFor(false);
