import { vi } from "vitest";
import { type CallResult, requireValue } from "../../services/kit/client/client.ts";
import { createAuthenticator } from "../../services/security-service/testing/authenticator.ts";
import type { startTarget } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { furnishLocation } from "./furnished-location.ts";
import { newcomer, newPassword } from "./handled-newcomer.ts";
import type { HandledServices } from "./handled-services.ts";
import type { RunningSandbox } from "./paypal/running-sandbox.ts";
import type { PortalBackend } from "./portal-backend.ts";

export type RegisteredOrganization = Awaited<ReturnType<typeof registerOrganization>>;
type Services = Pick<HandledServices, "mail" | "createBackend" | "backendOfVisitor">;

let visitors = 0;

/** An account that was created from an email, and how it signs in. */
async function takeUp(services: Services, email: string, kind: "registration" | "invitation") {
  // From a separate network: the number of forms per hour and network is limited.
  visitors += 1;
  const { securityService } = await services.backendOfVisitor(`198.51.100.${visitors}`);
  const { html = "" } = await services.mail.newest(email, kind === "invitation" ? /invit/i : /registration/i);
  const body = { token: decodeURIComponent(/[?&](?:amp;)?token=([^"&]*)/.exec(html)?.[1] ?? "") };
  const requested = kind === "invitation" ? securityService.sendInvitationCode : securityService.sendRegistrationCode;
  requireValue(await requested({ body }), "asking for the code");
  const message = await services.mail.newest(email, /verification code/i);
  const code = /\b\d{6}\b/.exec(message.text ?? "")?.[0] ?? "";
  const [username, password] = [email.split("@")[0]!, newPassword];
  const account = { body: { ...body, code, fullName: "Ada Lovelace", username, password } };
  const { createAccount, createAccountByInvitation } = securityService;
  requireValue(await (kind === "invitation" ? createAccountByInvitation : createAccount)(account), "creating");
  return await services.createBackend({ username, password: encodeURIComponent(password) });
}

/** Signs in again, whatever the state of the previous session. */
export async function signInAgain({ createBackend }: Services, { person }: RegisteredOrganization) {
  return await createBackend({ username: person.username, password: encodeURIComponent(newPassword) });
}

/** A user who registered a new organization. */
export async function registerOrganization(services: Services, name: string) {
  const person = newcomer();
  const { securityService } = await services.backendOfVisitor(`198.51.100.${visitors + 1}`);
  const body = { email: person.email, organizationName: name };
  requireValue(await securityService.createRegistrationRequest({ body }), "registering");
  const backend = await takeUp(services, person.email, "registration");
  const { id } = requireValue(await backend.portalService.getCurrentOrganization(), "organization");
  return { id, name, person, backend };
}

/** A user who joined an organization by its administrator's invitation. */
export async function addMember(
  services: Services,
  { backend }: Pick<RegisteredOrganization, "backend">,
  role: "ADMIN" | "EDITOR" | "VIEWER",
) {
  const person = newcomer();
  const body = { emails: [person.email], roles: [role] };
  requireValue(await backend.securityService.invite({ body }), "inviting");
  const own = await takeUp(services, person.email, "invitation");
  const { id } = requireValue(await own.securityService.getOwnAccount(), "own account");
  return { id, person, backend: own };
}

/** Adds a passkey to the caller's account, which then signs in with it. */
export async function addPasskey({ securityService }: Pick<PortalBackend, "securityService">): Promise<string> {
  const begun = await securityService.beginPasskey({ body: { currentPassword: newPassword } });
  const credential = createAuthenticator().create(requireValue(begun, "beginning a passkey"));
  const added = await securityService.addPasskey({ body: { name: "Laptop", credential } });
  return requireValue(added, "adding a passkey").passkey.id;
}

/** The resources of an organization, by the names that contracts and routes give to their ids. */
export type FurnishedIds = Awaited<ReturnType<typeof furnish>>;

const once = { kind: "once" as const, from: "2050-01-01T00:00:00Z", to: "2050-01-02T00:00:00Z" };

/**
 * One of each kind of resource in an organization: this word is in every name that can be chosen, and in the API's responses.
 */
export async function furnish(
  { apiRegistry, testRegistry, testExecutioner: executioner, asProgram, ...others }: PortalBackend,
  target: Pick<Awaited<ReturnType<typeof startTarget>>, "baseUrl">,
  word: string,
) {
  const { testAnalyzer, securityService, portalService } = others;
  const make = async <Value>(requested: Promise<CallResult<Value>>) =>
    requireValue(await requested, `furnishing ${word}`);
  const domain = `${word.toLowerCase()}.example.com`;
  const responses = { 200: { description: `${word} are there` } };
  const described = {
    ...{ openapi: "3.1.0", info: { title: `${word} API`, version: "1", description: `All about ${word}.` } },
    paths: {
      "/pets": { get: { operationId: `list${word}`, summary: `List ${word}`, tags: [word], responses } },
      "/pets/{petId}": { get: { operationId: `read${word}`, summary: `Read ${word}`, tags: [word], responses } },
    },
    webhooks: { newPet: { post: { operationId: `told${word}`, summary: `${word} told`, responses } } },
  };
  const source = { document: JSON.stringify(described) };
  const baseUrl = `${target.baseUrl}/${word}`;
  const { id: apiId } = await make(apiRegistry.registerApi({ body: { source, baseUrl, tags: [word] } }));
  const api = { params: { apiId } };
  const environments = [{ name: "Staging", baseUrl, variables: {} }];
  await make(apiRegistry.replaceEnvironments({ ...api, body: { items: environments } }));
  const { items: documents } = await make(apiRegistry.listDocuments({ ...api, query: {} }));
  const proved = { name: domain, description: `${word} in production` };
  const { id: domainId } = await make(securityService.createDomain({ body: proved }));
  const bearer = { domain, type: "bearer" as const, settings: {}, secret: `${word}: a secret to forget` };
  const { id: credentialId } = await make(
    securityService.createCredential({ body: { ...bearer, name: `${word} key` } }),
  );
  const bound = { domain, schemeName: `${word}Key`, credentialId };
  const config = await make(securityService.createAuthorizationConfig({ body: bound }));
  const token = await make(
    securityService.createApiToken({ body: { name: `${word} nightly`, scopes: ["apis:read"] } }),
  );
  const invited = { emails: [`${word.toLowerCase()}@example.com`], roles: ["VIEWER" as const] };
  const { items: invitations } = await make(securityService.invite({ body: invited }));
  const { items: users } = await make(securityService.listUsers({ query: {} }));
  const { items: sessions } = await make(securityService.listSessions({ query: {} }));

  const teapot = { source: "statusCode" as const, comparison: "equals" as const, target: 418 };
  const broken = {
    name: `${word} test`,
    method: "get",
    path: "/pets",
    request: {},
    assertions: [teapot],
    tags: [word],
  };
  const { id: testId } = await make(testRegistry.createTest({ ...api, body: broken }));
  const draft = { test: { ...broken, name: `${word} draft` }, reason: `For ${word}` };
  const { id: proposalId } = await make(testRegistry.proposeTest({ ...api, body: draft }));
  const { sha256 } = await make(testRegistry.storeFile({ rawBody: `A photo of ${word}` }));
  const variables = [{ name: "pet", value: word }];
  const daily = { name: `${word} circle`, description: `For ${word}`, members: [{ testId }], variables };
  const { id: testCircleId } = await make(testRegistry.createCircle({ body: daily }));
  const circle = { params: { testCircleId } };
  const yearly = { name: `${word} yearly`, cron: "0 0 1 1 *", timeZone: "UTC" };
  const { id: scheduleId } = await make(testRegistry.createSchedule({ ...circle, body: yearly }));
  const move = { name: `${word} move`, testCircleId, times: once };
  const { id: maintenanceWindowId } = await make(testRegistry.createMaintenanceWindow({ body: move }));
  const { token: calendarToken } = await make(testRegistry.renewCalendar());

  const { id: applicationId } = await make(testRegistry.applyCode({ body: { objects: [] } }));
  const getApplication = () => make(testRegistry.getCodeApplication({ params: { applicationId } }));
  await vi.waitUntil(async () => (await getApplication()).endedAt !== null, { timeout: 300_000 });

  const hook = { kind: "webhook" as const, name: `${word} on call`, url: baseUrl };
  const { id: channelId } = await make(testAnalyzer.createChannel({ body: hook }));
  const scope = { kind: "circle" as const, testCircleId };
  const { id: ruleId } = await make(testAnalyzer.createRule({ body: { scope, channelIds: [channelId] } }));
  const { id: deliveryId } = await make(testAnalyzer.testChannel({ params: { channelId } }));
  await make(testAnalyzer.setServiceLevel({ ...circle, body: { objective: 99.5, days: 30 } }));
  const { address } = await make(testAnalyzer.setStatusPage({ ...circle, body: { title: `${word} status` } }));
  const { id: markId } = await make(testAnalyzer.createMark({ body: { name: `${word} 2.4.0`, apiId } }));

  const { testExecutioner } = await asProgram();
  const run = { body: { trigger: "ci" as const } };
  const { id: testCircleExecutionId } = await make(toTheEnd(testExecutioner).runCircle({ ...circle, ...run }));
  const { id: executionId, runId } = await make(toTheEnd(testExecutioner).runTest({ params: { testId }, ...run }));
  const incidents = async () => (await make(testAnalyzer.listIncidents({ query: { apiId } }))).items;
  await vi.waitUntil(async () => (await incidents()).length > 0, { timeout: 300_000 });
  const incidentId = (await incidents())[0]!.id;
  const comment = { params: { incidentId }, body: { text: `${word} looks into it` } };
  const { id: commentId } = await make(testAnalyzer.createIncidentComment(comment));
  // Cancelled, so that none of its rows changes later.
  const { id: explorationId } = await make(testExecutioner.startExploration({ ...api, body: { maxRequests: 10 } }));
  const exploration = { params: { explorationId } };
  await testExecutioner.cancelExploration(exploration);
  const isEnded = async () => (await make(testExecutioner.getExploration(exploration))).finishedAt !== null;
  await vi.waitUntil(isEnded, { timeout: 300_000 });
  const located = await furnishLocation({ testExecutioner: executioner }, word);
  // After its runs, since no agent calls.
  const { locationId } = located;
  const sentFrom = environments.map((environment) => ({ ...environment, locationId }));
  await make(apiRegistry.replaceEnvironments({ ...api, body: { items: sentFrom } }));
  await make(testRegistry.changeCircle({ params: { testCircleId }, body: { ...daily, locationId } }));
  const postal = { country: "IE", organization: word, street: "1", city: "Dublin", postalCode: "D02 AF30" };
  await make(portalService.putBillingAddress({ body: postal }));
  const notifications = await make(portalService.listNotifications());
  return {
    ...{ apiId, documentId: documents[0]!.id, testId, testCircleId, scheduleId, maintenanceWindowId, calendarToken },
    ...{ explorationId, runId, executionId, testExecutionId: executionId, testCircleExecutionId },
    ...{ channelId, ruleId, deliveryId, markId, incidentId, commentId, address },
    ...{ credentialId, authorizationConfigId: config.id, domain, domainId, apiTokenId: token.id },
    ...{ invitationId: invitations[0]!.id, userId: users[0]!.id, sessionId: sessions[0]!.id },
    ...{ notificationId: notifications[0]?.id ?? "", sha256, proposalId },
    ...{ applicationId, objectId: testId, ...located },
  };
}

/** A paid plan. */
export async function subscribe(
  { portalService }: Pick<PortalBackend, "portalService">,
  sandbox: Pick<RunningSandbox, "decide">,
) {
  const subscribed = await portalService.createSubscription({ body: { serviceId: "team" } });
  const { id: subscriptionId, approveUrl } = requireValue(subscribed, "subscribing");
  const back = await sandbox.decide(approveUrl!, "approve");
  requireValue(await portalService.askProvider({ params: { subscriptionId } }), "asking PayPal");
  const payments = requireValue(await portalService.listPayments({ query: {} }), "payments").items;
  return { subscriptionId, paymentId: payments[0]!.id, providerId: back.searchParams.get("subscription_id") ?? "" };
}
