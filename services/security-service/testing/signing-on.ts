import { uuidv7 } from "uuidv7";
import type { SingleSignOnInput } from "#contracts/security-service/single-sign-on.ts";
import { requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { noOrganization } from "../../kit/organization/no-organization.ts";
import { testPortalOrigin } from "./surroundings.ts";
import { administratorPassword, createSecurityWorld } from "./world.ts";

export const testRedirectUri = `${testPortalOrigin}/login/single-sign-on/return`;

interface Client {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/**
 * security-service with an administrator who may set single sign-on for example.com, and the portal that signs users
 * in.
 */
export async function createSigningOnWorld(database: Database) {
  const world = await createSecurityWorld(database);
  const { accessToken, caller } = await world.requireLogin();
  const administrator = world.connect({ token: accessToken });
  const portal = world.connect({ token: await world.serviceToken(noOrganization) });
  const { organizationId, userId: administratorId } = caller;

  /** A proven domain of an organization. */
  async function prove(name: string, ofOrganization = organizationId): Promise<string> {
    const now = new Date();
    const id = uuidv7();
    await world.db
      .insertInto("domains")
      .values({
        ...{ id, organization_id: ofOrganization, name, description: "", method: "dnsTxt" as const },
        ...{ token: "t", state: "verified" as const, proven_at: now, checked_at: now, next_check_at: null },
        ...{ created_at: now, updated_at: now },
      })
      .execute();
    return id;
  }

  const inputFor = ({ issuer, clientId, clientSecret }: Client, changes: Partial<SingleSignOnInput> = {}) => ({
    ...{ issuer, clientId, clientSecret, domains: ["example.com"], isRequired: false, createsAccounts: true },
    ...{ rolesClaim: "groups", roles: [{ value: "writers", role: "EDITOR" as const }], usualRole: "VIEWER" as const },
    ...changes,
  });
  const set = (provider: Client, changes: Partial<SingleSignOnInput> = {}) =>
    administrator.setSingleSignOn({ body: inputFor(provider, changes) });
  const start = (email: string) => portal.startSingleSignOn({ body: { email } });
  const begin = async (email = "somebody@example.com") => requireValue(await start(email), "starting");
  type Begun = Awaited<ReturnType<typeof begin>>;
  const getAnswer = ({ organizationId: id, state, nonce, codeVerifier }: Begun, returned: string) => ({
    body: { organizationId: id, state, nonce, codeVerifier, returned },
  });

  /** The state before the first sign-in by provider. */
  async function forget(): Promise<void> {
    await world.db.updateTable("organizations").set({ requires_second_factor: false }).execute();
    for (const table of ["provider_subjects", "single_sign_ons", "login_tries", "second_factors"] as const)
      await world.db.deleteFrom(table).execute();
    await world.db.deleteFrom("users").where("id", "<>", administratorId).execute();
    await world.service.accessState.refresh();
  }
  return {
    ...{ world, administrator, administratorPassword, administratorId, organizationId, portal },
    ...{ prove, set, start, begin, forget },
    finish: (begun: Begun, returned: string) => portal.finishSingleSignOn(getAnswer(begun, returned)),
    attempt: (begun: Begun, returned: string) => portal.trySingleSignOn(getAnswer(begun, returned)),
  };
}

export type SigningOnWorld = Awaited<ReturnType<typeof createSigningOnWorld>>;
