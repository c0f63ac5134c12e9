import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { StartedSignOn } from "#contracts/security-service/single-sign-on.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Authenticate } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { signedOnAt } from "../domain/provider-confirmation.ts";
import { findPersonError, readPerson, rolesFor, toDomain } from "../domain/single-sign-on.ts";
import { clientGroup, type TryLimit } from "../domain/try-limit.ts";
import { usedSignOn } from "../single-sign-on/failure-words.ts";
import { type OpenIdProvider, ProviderRefused } from "../single-sign-on/provider.ts";
import { findOrganization } from "../store/organizations.ts";
import { confirmSession } from "../store/sessions.ts";
import { findByDomain, findSingleSignOn, findSubject, listSignOnDomains } from "../store/single-sign-on.ts";
import { spendSignOn } from "../store/spent-sign-ons.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";
import { findAccount, findMembership } from "../store/users.ts";
import { readClient } from "./client.ts";
import { type EnterByProvider, noRole, roleRules } from "./provider-accounts.ts";
import { requireNoSecondFactor } from "./second-step.ts";
import type { BeginSession } from "./sessions.ts";
import { providerSettings } from "./single-sign-on.ts";
import { tooManyTries } from "./too-many-tries.ts";

type SignInHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "startSingleSignOn" | "finishSingleSignOn" | "confirmSingleSignOn" | "trySingleSignOn"
>;

/** Each sends requests to a server that a customer named, so their number is limited. */
const startLimit: TryLimit = { tries: 60, windowMilliseconds: 10 * 60_000 };

const notHere = "There is no single sign-on for this address. Check it, or sign in with your password.";

const otherUser = "You signed in as a different user at your provider. Sign in with the account that you use here.";

function asProblem(error: unknown): never {
  if (!(error instanceof ProviderRefused)) throw error;
  throw new Problem(error.isAway ? "service_unavailable" : "forbidden", error.message);
}

/** Creates the handlers by which users sign in with their organization's OpenID provider. */
export function createProviderSignInHandlers(parts: {
  db: SecurityDatabase;
  clock: Clock;
  vault: Vault;
  authenticate: Authenticate;
  provider: OpenIdProvider;
  enter: EnterByProvider;
  beginSession: BeginSession;
}): SignInHandlers {
  const { db, clock, vault, authenticate, provider, enter, beginSession } = parts;

  async function findProvider(body: { email: string } | { organizationId: string }) {
    const row = "email" in body ? await findByDomain(db, toDomain(body.email)) : await findOwn(body.organizationId);
    if (!row) throw new Problem("invalid_input", undefined, { errors: [{ path: "email", message: notHere }] });
    return row;
  }

  async function findOwn(organizationId: string) {
    const row = await findSingleSignOn(db, organizationId);
    return row && { ...row, name: (await findOrganization(db, organizationId))?.name ?? "" };
  }

  /** The user in the provider's response, and why they are not signed in, if so. */
  async function readResponse({ organizationId, returned, ...begun }: StartedSignOn & { returned: string }) {
    const row = await findSingleSignOn(db, organizationId);
    if (!row) throw new Problem("forbidden", "Your organization no longer has single sign-on.");
    const { claims, idToken } = await provider.finish(providerSettings(vault, row), begun, returned).catch(asProblem);
    // A provider may take its code again.
    if (!(await spendSignOn(db, begun.state, clock.now()))) throw new Problem("forbidden", usedSignOn);
    const person = readPerson(claims, idToken, row.roles_claim);
    const domains = await listSignOnDomains(db, organizationId);
    return { row, person, claims, idToken, fault: findPersonError(person, { issuer: row.issuer, domains }) };
  }

  return {
    async startSingleSignOn({ body, request }) {
      const now = clock.now();
      const { address } = await readClient(request, authenticate);
      const oldest = await countTry(db, tryKey("single-sign-on", clientGroup(address)), startLimit, now);
      if (oldest) throw tooManyTries("Too many sign-ins began in your network.", oldest, startLimit, now);
      const row = await findProvider(body);
      const begun = await provider.begin(providerSettings(vault, row), body).catch(asProblem);
      return { ...begun, organizationId: row.organization_id, organizationName: row.name };
    },

    async finishSingleSignOn({ body, request, requestId, record, log }) {
      const now = clock.now();
      const { row, person, idToken, fault } = await readResponse(body);
      if (fault) throw new Problem("forbidden", fault);
      const userId = await enter({ row, person, now, requestId, record });
      const account = (await findAccount(db, userId))!;
      const { userAgent } = await readClient(request, authenticate);
      const factorAtProvider = person.usedSecondFactor;
      const at = signedOnAt(idToken, now);
      if (!factorAtProvider) await requireNoSecondFactor(db, account, { userAgent, signedOnAt: at }, now);
      const membership = (await findMembership(db, userId, row.organization_id, { factorAtProvider }))!;
      return await beginSession({ account, membership, factorAtProvider, signedOnAt: at, userAgent, now, log });
    },

    async confirmSingleSignOn({ body: { userId, sessionId, ...answer } }) {
      const { row, person, idToken, fault } = await readResponse(answer);
      if (fault) throw new Problem("forbidden", fault);
      const { organizationId } = answer;
      const known = await findSubject(db, { organizationId, issuer: row.issuer, subject: person.subject });
      if (known?.user_id !== userId) throw new Problem("forbidden", otherUser);
      const session = { id: sessionId, userId, organizationId };
      const isConfirmed = await confirmSession(db, session, signedOnAt(idToken, clock.now()));
      if (!isConfirmed) throw new Problem("forbidden", "This session has ended. Log in again.");
      return undefined;
    },

    async trySingleSignOn({ body }) {
      const { row, person, claims, fault } = await readResponse(body);
      const roles = rolesFor(person, roleRules(row), row.roles_claim === "" ? [] : undefined);
      const { email, roleValues, usedSecondFactor } = person;
      const hasNoRole = row.roles_claim !== "" && roles.length === 0 ? noRole : undefined;
      const names = Object.keys(claims).sort().slice(0, 100);
      return {
        ...{ email, roles, usedSecondFactor, fault: fault ?? hasNoRole ?? null },
        claims: names.map((name) => name.slice(0, 100)),
        roleValues: roleValues.slice(0, 50).map((value) => value.slice(0, 200)),
      };
    },
  };
}
