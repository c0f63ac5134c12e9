import { uuidv7 } from "uuidv7";
import { alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import type { TestHistory } from "#contracts/test-executioner/histories.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { findCause } from "../domain/incident/cause.ts";
import {
  type Decision,
  Decisions,
  type DescribedTest,
  type Incident,
  type Result,
  type WatchedTest,
} from "../domain/incident/decisions.ts";
import { describeDecisions } from "../domain/incident/entries.ts";
import { ruleInForce } from "../domain/incident/rule-in-force.ts";
import { well } from "../domain/incident/steadiness.ts";
import { listAllRules } from "../store/alert-rules.ts";
import {
  findMutes,
  insertEntries,
  loadOpenIncidents,
  storeIncidents,
  storeIncidentTests,
  type TestInIncident,
  takeTurn,
} from "../store/incident-changes.ts";
import { storePasses } from "../store/recovering-tests.ts";
import type { AnalyzerTransaction } from "../store/tables.ts";
import {
  findWatchedTests,
  listPendingTests,
  storeWatchedTests,
  takeWatchedTests,
  toKey,
  toWatchedTest,
  type WatchedRow,
} from "../store/watched-tests.ts";
import type { Alerting } from "./alerting.ts";

/** The test results of one run, as the executioner reports them. */
export interface HeardRun {
  runId: string;
  /** A user started it. */
  byHand: boolean;
  finishedAt: string;
  testCircleId: string | null;
  testCircleName: string | null;
  isWholeCircle: boolean;
  /** Tests that were requested in addition to the failed ones. */
  requestedIds: string[];
  items: TestHistory[];
}

const resultsLookedAt = 10;
const longestDelayMilliseconds = 60 * 60 * 1_000;
/** Applies when there is no rule. */
const noRule = { policy: alertPolicy.parse({}), channelIds: [] as string[] };

/** Watches failing tests: opens and resolves incidents and notifies channels, in one transaction each time. */
export function createIncidentWatch({ clock, alerting }: { clock: Clock; alerting: Alerting }) {
  async function open(
    transaction: AnalyzerTransaction,
    organizationId: string,
    rows: readonly WatchedRow[],
    fingerprints: string[],
  ) {
    const ids = [...new Set(rows.flatMap(({ incident_id }) => incident_id ?? []))];
    const incidents = await loadOpenIncidents(transaction, organizationId, { ids, fingerprints });
    const byId = new Map(incidents.map((incident) => [incident.id, incident]));
    const rules = await listAllRules(transaction, organizationId);
    const getRule = ({ described }: WatchedTest) => ruleInForce(rules, described) ?? noRule;
    const decisions = new Decisions({
      incidents: new Map(incidents.map((incident) => [incident.fingerprint, incident])),
      mutes: await findMutes(transaction, organizationId, fingerprints, clock.now()),
      getPolicy: (test) => getRule(test).policy,
      createId: uuidv7,
    });
    return { decisions, ruleOf: getRule, tests: rows.map((row) => toWatchedTest(row, byId)) };
  }

  /** Stores the decisions and sends their alerts. */
  async function conclude(
    transaction: AnalyzerTransaction,
    organizationId: string,
    { decisions: { made }, ruleOf, tests }: Omit<Awaited<ReturnType<typeof open>>, "tests"> & { tests: WatchedTest[] },
    { keep }: { keep: boolean },
  ): Promise<void> {
    const now = clock.now();
    const incidents = new Set<Incident>(made.map(({ incident }) => incident));
    for (const { incident } of tests) if (incident) incidents.add(incident);
    await storeIncidents(transaction, organizationId, [...incidents]);
    await storeIncidentTests(transaction, organizationId, getTestStates(made, tests));
    if (keep) await storeWatchedTests(transaction, organizationId, tests, now);
    await insertEntries(
      transaction,
      describeDecisions(made).map((entry) => ({ ...entry, organizationId })),
    );
    await alerting.notifyOpened(
      transaction,
      organizationId,
      made.flatMap((decision) => {
        if (decision.kind !== "opened" && decision.kind !== "joined") return [];
        const { id: incidentId, severity, mutedUntil } = decision.incident;
        return [{ incidentId, severity, mutedUntil, ...ruleOf(decision.test) }];
      }),
    );
    const resolved = made.filter(({ kind }) => kind === "resolved").map(({ incident }) => incident.id);
    await alerting.notifyResolved(transaction, organizationId, resolved);
  }

  return {
    /** Judges the new results in the histories; judged ones are not judged again. */
    async hear(transaction: AnalyzerTransaction, organizationId: string, heard: HeardRun): Promise<void> {
      await takeTurn(transaction, organizationId);
      const location = {
        testCircleId: heard.testCircleId,
        testIds: [...new Set([...heard.items.map(({ testId }) => testId), ...heard.requestedIds])],
      };
      const rows = await findWatchedTests(transaction, organizationId, location);
      const opened = await open(transaction, organizationId, rows, getFingerprints(heard));
      const known = new Map(opened.tests.map((test) => [test.key, test]));
      const touched = new Set<WatchedTest>();
      const byRun = new Map<string, Result[]>();
      for (const item of heard.items) {
        const described = describe(item, heard);
        const test = known.get(toKey(described));
        const results = listNew(item, test?.judgedUpTo, heard.runId);
        // Only asked for because of an incident elsewhere.
        if (!test && (!item.isMember || results.every(({ failure }) => failure === null))) continue;
        const watched = test ?? {
          key: toKey(described),
          described,
          judgedUpTo: "",
          ...well,
          incident: null,
          failure: null,
        };
        watched.described = described;
        if (results.length > 0) touched.add(watched);
        for (const { runId, ...result } of results) {
          byRun.set(runId, [...(byRun.get(runId) ?? []), { test: watched, ...result }]);
        }
      }
      for (const runId of [...byRun.keys()].sort()) opened.decisions.judgeRun(runId, byRun.get(runId)!);
      if (heard.isWholeCircle) {
        const members = new Set(heard.items.filter(({ isMember }) => isMember).map(({ testId }) => testId));
        for (const test of opened.tests) {
          if (members.has(test.described.testId) || test.judgedUpTo >= heard.runId) continue;
          opened.decisions.remove(test, clock.now(), heard.runId);
          touched.add(test);
        }
      }
      await conclude(transaction, organizationId, { ...opened, tests: [...touched] }, { keep: true });
      const passed = heard.items.filter(({ results }) =>
        results.some((result) => result.runId === heard.runId && result.failure === null),
      );
      await storePasses(transaction, organizationId, {
        ...{ runId: heard.runId, at: new Date(heard.finishedAt), byHand: heard.byHand },
        testIds: passed.map(({ testId }) => testId),
      });
    },

    /** Opens incidents for failures that have lasted long enough, without a new run. */
    async judgeAges(transaction: AnalyzerTransaction, organizationId: string): Promise<void> {
      await takeTurn(transaction, organizationId);
      const rows = await listPendingTests(transaction, organizationId);
      const fingerprints = rows.flatMap((row) => toWatchedTest(row, new Map()).failure?.found.fingerprint ?? []);
      const opened = await open(transaction, organizationId, rows, fingerprints);
      for (const test of opened.tests) opened.decisions.judgeAge(test, clock.now());
      const tests = opened.tests.filter(({ incident }) => incident !== null);
      await conclude(transaction, organizationId, { ...opened, tests }, { keep: true });
    },

    /** Deleted tests no longer fail. */
    async forget(
      transaction: AnalyzerTransaction,
      organizationId: string,
      deleted: Parameters<typeof takeWatchedTests>[2],
    ): Promise<void> {
      await takeTurn(transaction, organizationId);
      const rows = await takeWatchedTests(transaction, organizationId, deleted);
      const opened = await open(transaction, organizationId, rows, []);
      for (const test of opened.tests) opened.decisions.remove(test, clock.now(), null);
      await conclude(transaction, organizationId, opened, { keep: false });
    },
  };
}

export type IncidentWatch = ReturnType<typeof createIncidentWatch>;

function describe({ isMember: _, results: _results, ...item }: TestHistory, run: HeardRun): DescribedTest {
  return { ...item, testCircleId: run.testCircleId, testCircleName: run.testCircleName };
}

/**
 * Results that were not judged yet. Of a test that is not watched, those of the last hour: runs may be reported in
 * another order than they ended in, and older results precede the watch.
 */
function listNew({ results }: TestHistory, judgedUpTo: string | undefined, runId: string) {
  const outcome = results.find((result) => result.runId === runId);
  const since = new Date(outcome?.finishedAt ?? 0).getTime() - longestDelayMilliseconds;
  return results.flatMap((result, index) => {
    const isNew = judgedUpTo === undefined ? new Date(result.finishedAt).getTime() >= since : result.runId > judgedUpTo;
    if (!isNew) return [];
    const last = results.slice(Math.max(0, index - resultsLookedAt + 1), index + 1);
    return [
      {
        runId: result.runId,
        at: new Date(result.finishedAt),
        failure: result.failure,
        last: last.map(({ failure }) => failure === null),
      },
    ];
  });
}

/** All possible causes in a run: for a step after the first failed one, its own and that step's. */
function getFingerprints({ items }: HeardRun): string[] {
  const found = items.flatMap((item) =>
    item.results.flatMap(({ failure }) => {
      if (!failure) return [];
      return [findCause({ ...item, failure }), findCause({ ...item, failure: { ...failure, after: null } })];
    }),
  );
  return [...new Set(found.map(({ fingerprint }) => fingerprint))];
}

/** The final state of tests in each incident that they were in. */
function getTestStates(made: readonly Decision[], tests: readonly WatchedTest[]): TestInIncident[] {
  const states = new Map<string, TestInIncident>();
  const put = (state: TestInIncident) => void states.set(`${state.incident.id} ${state.test.key}`, state);
  for (const decision of made) {
    if (!("test" in decision)) continue;
    const { kind, incident, test } = decision;
    put({ incident, test, state: kind === "well" || kind === "left" ? kind : "failing" });
  }
  for (const test of tests) if (test.incident) put({ incident: test.incident, test, state: "failing" });
  return [...states.values()];
}
