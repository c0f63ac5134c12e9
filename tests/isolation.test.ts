import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startTarget, type Target } from "../services/test-executioner/testing/target.ts";
import { beginForgetting, type Forgetfulness } from "./support/forgetful-queries.ts";
import {
  addMember,
  addPasskey,
  furnish,
  type RegisteredOrganization,
  registerOrganization,
  signInAgain,
  subscribe,
} from "./support/furnished-organization.ts";
import { type HandledServices, openHandledServices } from "./support/handled-services.ts";
import {
  type Attempt,
  attemptsAt,
  normalized,
  type Operation,
  onlyAsks,
  operations,
  randomLike,
} from "./support/operation-attempts.ts";
import { isQuiet, keepLocationsHeard, readChecksums } from "./support/organization-rows.ts";
import { openPayPalSandbox } from "./support/paypal-sandbox.ts";
import type { PortalBackend } from "./support/portal-backend.ts";
import { removeFurniture } from "./support/removed-furniture.ts";
import { emptyOfUnknown, type Ids, outlasting } from "./support/tried-operations.ts";
import { notTried } from "./support/untried-operations.ts";

/** In every resource of the other organization, and in no other. */
const word = "Quokkas";

let target: Target;
let sandbox: Awaited<ReturnType<typeof openPayPalSandbox>>;
let database: pg.Client;
let services: HandledServices;
let ours: RegisteredOrganization;
let theirs: RegisteredOrganization;
let ourIds: Ids;
let theirIds: Ids;
/** An administrator's of ours. */
let requesting: PortalBackend;
/** Of resources that ours had and deleted. */
let deletedIds: Ids;
let forgetfulness: Forgetfulness | undefined;

beforeAll(async () => {
  target = await startTarget(({ url }, response) => void response.end(JSON.stringify({ asked: url })));
  sandbox = await openPayPalSandbox();
  services = await openHandledServices(sandbox.environment);
  database = new pg.Client({ connectionString: services.databaseUrl });
  await database.connect();
  await services.limitPlans({ members: 100, apis: 100 });
  ours = await registerOrganization(services, "Ours");
  theirs = await registerOrganization(services, word);
  const { backend } = ours;
  theirIds = {
    ...(await furnish(theirs.backend, target, word)),
    ...(await subscribe(theirs.backend, sandbox)),
    organizationId: theirs.id,
  };
  // Not the administrator's, who would need it at each sign-in.
  theirIds.passkeyId = await addPasskey((await addMember(services, theirs, "VIEWER")).backend);
  const missing = await furnish(backend, target, "Gone");
  await removeFurniture(backend, missing);
  ourIds = {
    ...(await furnish(backend, target, "Ours")),
    ...(await subscribe(backend, sandbox)),
    organizationId: ours.id,
    passkeyId: await addPasskey((await addMember(services, ours, "VIEWER")).backend),
  };
  // These are deleted only with their organization; incidents are still found by a deleted test.
  const { userId, sessionId, notificationId, incidentId, address, calendarToken, sha256, applicationId, ...others } =
    missing;
  const { invitationId, testId, ...deleted } = others;
  deletedIds = deleted;
});
beforeEach(async () => {
  requesting = await signInAgain(services, ours);
});
afterEach(() => {
  forgetfulness?.end();
  forgetfulness = undefined;
});
afterAll(async () => {
  await database.end();
  await services.stop();
  await Promise.all([sandbox.stop(), target.close()]);
});

const isTried = ({ label, endpoint: { access } }: Operation) =>
  access !== "public" && access !== "system:manage" && !(label in notTried);
/** Reads come first: changes in between would alter their responses. */
function listAttempts(): Attempt[] {
  const tried = operations.filter(isTried);
  return [...tried.filter(onlyAsks), ...tried.filter((one) => !onlyAsks(one))].flatMap((one) =>
    attemptsAt(one, ourIds),
  );
}
/** Host names belong to no organization: data created for one reveals nothing of others. */
const isText = (name: string, { endpoint: { method, access } }: Operation) =>
  name === "domain" && method !== "get" && access !== "internal";
/** Traces of the other organization in a response, except the id of the request. */
function getFound(revealed: string, requested: string): string[] {
  const { username, email } = theirs.person;
  const traces = [word, username, email, ...Object.values(theirIds)].filter((one) => one !== "" && one !== requested);
  const text = revealed.toLowerCase();
  return traces.filter((one) => text.includes(one.toLowerCase()));
}

/** Sends a request as an administrator of ours, or as a service for ours. */
async function send(attempt: Attempt, ids: Ids, requested: string) {
  const { service, endpoint } = attempt.operation;
  const token = endpoint.access === "internal" ? await services.serviceToken(ours.id) : await requesting.freshToken();
  const response = await services.ask(service, attempt.request(ids, token));
  return { status: response.status, revealed: await normalized(response, requested) };
}

/** The attempts create and change tests so that they contain ids of others, and are found by them. */
async function keepTests(): Promise<void> {
  await database.query("create table kept_tests as select id, definition from test_registry.tests");
}

async function restoreTests(): Promise<void> {
  await database.query("delete from test_registry.tests where id not in (select id from kept_tests)");
  await database.query(
    "update test_registry.tests set definition = kept.definition from kept_tests kept where kept.id = tests.id",
  );
}

async function disableRowSecurity(): Promise<void> {
  const { rows } = await database.query("select oid::regclass::text as name from pg_class where relrowsecurity");
  for (const { name } of rows) await database.query(`alter table ${name} disable row level security`);
}

/** Errors and traces of the other organization in responses to requests with only our ids. */
async function findRevealedToOthers(): Promise<string[]> {
  const wrong: string[] = [];
  for (const attempt of listAttempts().filter(({ operation }) => onlyAsks(operation))) {
    const { label } = attempt.operation;
    const { status, revealed: told } = await send(attempt, ourIds, "");
    if (status >= 300) wrong.push(`${label} [${attempt.names}]: ${told}`);
    const found = getFound(told, "");
    if (found.length > 0) wrong.push(`${label} tells ${found}`);
  }
  return wrong;
}

/** Responses that distinguish ids of others from unassigned ones, and operations that don't reject unknown ids. */
async function findAnsweredToOthers() {
  const wrong: string[] = [];
  const unknownTo = new Set<string>();
  for (const attempt of listAttempts()) {
    const { operation, namesInPath, filter } = attempt;
    for (const name of attempt.names.filter((one) => !isText(one, operation))) {
      const random = randomLike(theirIds[name]!);
      const results: { revealed: string; status: number }[] = [];
      const deleted = outlasting.includes(operation.label) ? undefined : deletedIds[name];
      for (const id of [random, theirIds[name]!, deleted ?? random]) {
        const result = await send(attempt, { ...ourIds, [name]: id }, id);
        const found = getFound(result.revealed, id);
        if (found.length > 0) wrong.push(`${operation.label} tells ${found} asked with its ${name}`);
        results.push(result);
      }
      const isMade = results[0]!.status < 300 && !onlyAsks(operation);
      const [expected, ...others] = results.map(({ revealed: told, status }) => (isMade ? String(status) : told));
      for (const [index, other] of others.entries()) {
        const owner = ["another organization's", "a deleted"][index];
        if (other !== expected) wrong.push(`${operation.label} with ${owner} ${name}: ${other} and not ${expected}`);
      }
      const isNamed = namesInPath.includes(name) || (filter === name && operation.endpoint.access !== "internal");
      if (isNamed && results[0]!.status !== 404) unknownTo.add(operation.label);
    }
  }
  return { wrong, unknownTo: [...unknownTo].sort() };
}

const revealed = "responds to its owner, and reveals nothing of another organization to requests without its ids";
const ids = "an id of another organization, an unassigned one and a deleted one are answered alike";

test(`every operation that is tried ${revealed}`, async () => {
  expect(await findRevealedToOthers()).toEqual([]);
});

test(`every operation that is tried ${revealed}, with queries that have lost their conditions on organizations`, async () => {
  forgetfulness = beginForgetting();
  expect(await findRevealedToOthers()).toEqual([]);
  expect(forgetfulness.count).toBeGreaterThan(100);
});

test(`T02: ${ids}`, async () => {
  await keepLocationsHeard(database, theirs.id);
  await expect.poll(() => isQuiet(database, theirs.id)).toBe(true);
  await keepTests();
  const before = await readChecksums(database, theirs.id);
  expect(await findAnsweredToOthers()).toEqual({ wrong: [], unknownTo: emptyOfUnknown.toSorted() });
  expect(await readChecksums(database, theirs.id)).toEqual(before);
});

test(`T02: ${ids}, with queries that have lost their conditions on organizations`, async () => {
  await restoreTests();
  const before = await readChecksums(database, theirs.id);
  forgetfulness = beginForgetting();
  expect(await findAnsweredToOthers()).toEqual({ wrong: [], unknownTo: emptyOfUnknown.toSorted() });
  expect(await readChecksums(database, theirs.id)).toEqual(before);
});

test("without row-level security such queries reveal data of another organization", async () => {
  await disableRowSecurity();
  forgetfulness = beginForgetting();
  const wrong = await findRevealedToOthers();
  expect(wrong.filter((one) => one.includes(` tells `)).length).toBeGreaterThan(10);
});
