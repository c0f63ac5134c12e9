import { RouteTable } from "#libraries/openapi/route-table.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import type { RunningPortal } from "../../tests/support/portal-process.ts";
import { type Attempt, readExecution } from "./executions.ts";
import { compareStates, findAnswered, findForeignChanges } from "./foreign-changes.ts";
import { type JudgedExecution, judgeExecution } from "./judged-executions.ts";
import { type Making, makeSuite } from "./making.ts";
import type { MeasuredServer, PortalBackend, StartedServer } from "./measured-server.ts";
import { type Recorded, type RecordingProxy, startRecordingProxy } from "./recording-proxy.ts";
import { awaitRuns, type Member, readAll, readMembers, repeatRuns } from "./rounds.ts";
import type { Visitor } from "./visitor.ts";

const roundCount = 3;

export interface Result extends Making {
  name: string;
  /** As `get /todos/{id}`. */
  operations: string[];
  covered: string[];
  tests: number;
  circles: number;
  /** Of the first round. */
  executions: (JudgedExecution & { member: Member; attempt: Attempt | undefined })[];
  /** Names of tests that did not run at all. */
  neverRun: string[];
  /** Requests that changed what the run had not made, in any round. */
  foreign: string[];
  /** What was there before, and is otherwise now. */
  changed: string[];
  /** What three runs left behind. */
  left: string[];
  answered: Set<string>;
  unreachable: Record<string, string>;
  /** Members whose verdicts differ between rounds, as `get /x: passed, failed, failed`. */
  unstable: string[];
  /** Of the first round. */
  requests: number;
  seconds: number;
  driftsFound: number;
  driftsKnown: number;
}

interface Given {
  portal: RunningPortal;
  backend: PortalBackend;
  visitor: Visitor;
}

/** Makes the suite of a server as a person does, runs it three times, and looks at what came of it. */
export async function measure(server: MeasuredServer, given: Given): Promise<Result> {
  const started = await server.start(given);
  const proxy = await startRecordingProxy(started.origin);
  try {
    return await measureStarted(server.name, { ...given, started, proxy });
  } finally {
    await proxy.stop();
    await started.stop();
  }
}

async function register(
  { backend, started, proxy }: Given & { started: StartedServer; proxy: RecordingProxy },
  name: string,
) {
  const body = { name, source: { document: started.documentFor(proxy.origin) } };
  const api = requireValue(await backend.apiRegistry.registerApi({ body }), `registering ${name}`);
  const domain = new URL(proxy.origin).host;
  for (const { schemeName, ...credential } of started.credentials ?? []) {
    const input = { ...credential, domain, name: `${name} ${schemeName ?? credential.type}` };
    const { id } = requireValue(await backend.securityService.createCredential({ body: input }), "a credential");
    const config = { domain, schemeName: schemeName ?? "", credentialId: id };
    if (schemeName) requireValue(await backend.securityService.createAuthorizationConfig({ body: config }), schemeName);
  }
  return api;
}

async function measureStarted(
  name: string,
  given: Given & { started: StartedServer; proxy: RecordingProxy },
): Promise<Result> {
  const { backend, started, proxy } = given;
  const api = await register(given, name);
  const params = { apiId: api.id };
  const operations = await readAll(async (cursor) =>
    requireValue(await backend.apiRegistry.listOperations({ params, query: { limit: 200, cursor } }), "operations"),
  );
  const templates = new RouteTable<string>();
  for (const { method, path } of operations) templates.add(method, path, `${method} ${path}`);
  const basePath = new URL(api.effectiveBaseUrl ?? proxy.origin).pathname.replace(/\/$/, "");
  const before = await started.readState?.();

  const start = performance.now();
  const making = await makeSuite(given.visitor, api.id);
  const runs = await awaitRuns(backend, api.id);
  const seconds = (performance.now() - start) / 1_000;
  const rounds = [{ runIds: runs.map(({ id }) => id), requests: takeRequests(proxy) }];

  const tests = await readAll(async (cursor) =>
    requireValue(await backend.testRegistry.listTests({ params, query: { limit: 200, cursor } }), "tests"),
  );
  const circles = await readAll(async (cursor) =>
    requireValue(await backend.testRegistry.listCircles({ query: { ...params, limit: 200, cursor } }), "circles"),
  );
  const alone = new Set<string>();
  for (const { id, source } of runs) {
    if (source.kind === "circle") continue;
    for (const { testId } of await readMembers(backend, id)) alone.add(testId);
  }
  while (rounds.length < roundCount) {
    const runIds = await repeatRuns(
      backend,
      circles.map(({ id }) => id),
      [...alone],
    );
    rounds.push({ runIds, requests: takeRequests(proxy) });
  }
  const members = await Promise.all(
    rounds.map(async ({ runIds }) => (await Promise.all(runIds.map((id) => readMembers(backend, id)))).flat()),
  );
  const executions: Result["executions"] = [];
  for (const member of members[0] ?? []) {
    const { executed, attempt } = await readExecution(backend, member);
    executions.push({ ...judgeExecution(executed, started.knownDrifts), member, attempt });
  }
  const ran = new Set(members[0]?.map(({ testId }) => testId));
  const states = before && started.readState ? compareStates(before, await started.readState()) : undefined;
  const all = rounds.flatMap(({ requests }) => requests);
  return {
    ...making,
    name,
    operations: operations.map(({ method, path }) => `${method} ${path}`),
    covered: [...new Set(tests.map(({ method, path }) => `${method.toLowerCase()} ${path}`))],
    tests: tests.length,
    circles: circles.length,
    executions,
    neverRun: tests.filter(({ id }) => !ran.has(id)).map((test) => test.name),
    foreign: rounds.flatMap(({ requests }) => findForeignChanges(requests, templates, basePath)),
    changed: states?.changed ?? [],
    left: states?.left ?? [],
    answered: findAnswered(all, templates, basePath),
    unreachable: started.unreachable ?? {},
    unstable: findUnstable(members),
    requests: rounds[0]!.requests.length,
    seconds,
    driftsFound: (started.knownDrifts ?? []).filter(({ words }) => executions.some(({ why }) => why.includes(words)))
      .length,
    driftsKnown: started.knownDrifts?.length ?? 0,
  };
}

/** What was recorded since the last time. */
const takeRequests = ({ requests }: RecordingProxy): Recorded[] => requests.splice(0);

function findUnstable(rounds: Member[][]): string[] {
  const keys = new Map<string, Member[]>();
  for (const member of rounds.flat()) keys.set(member.key, [...(keys.get(member.key) ?? []), member]);
  return [...keys.values()]
    .filter((members) => members.length < rounds.length || new Set(members.map(({ verdict }) => verdict)).size > 1)
    .map((members) => `${members[0]!.method} ${members[0]!.path}: ${members.map(({ verdict }) => verdict).join(", ")}`);
}
