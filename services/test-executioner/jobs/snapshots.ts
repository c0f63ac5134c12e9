import type { Logger } from "pino";
import type { Test } from "#contracts/test-registry/tests.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { Executor } from "../../kit/database/database.ts";
import { keepsCaptures } from "../domain/handing-on.ts";
import { getSeries } from "../domain/places/judged-places.ts";
import { type CapturedValue, loadCaptures } from "../store/captures.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import { loadRunContexts, loadSnapshots, parseSnapshot, type RunContext } from "../store/snapshots.ts";
import type { ApiSurroundings } from "../store/surroundings.ts";
import type { ExecutionTables } from "../store/tables.ts";

export interface ExecutionTask {
  execution: ClaimedExecution;
  test: Test;
  run: RunContext;
  api: ApiSurroundings;
  /** Captures visible to it, including the circle's secrets; secret ones are sealed. */
  captures: CapturedValue[];
}

const maxCharacters = 32 * 1024 * 1024;

/** Cache of recently used tests and contexts of runs: a run started in this process never reads them back. */
export class Snapshots {
  readonly #tests = new Cache<Test>({ maxSize: maxCharacters });
  readonly #runs = new Cache<RunContext>({ maxSize: 1_000 });
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  remember(runId: string, context: RunContext, tests: Iterable<Test>): void {
    this.#runs.set(runId, context);
    // An estimate: the parts that can be large.
    for (const test of tests) {
      const body = "text" in test.request.body ? test.request.body.text.length : 0;
      this.#tests.set(`${test.id} ${test.version}`, test, 4_000 + body + (test.data?.length ?? 0) * 200);
    }
  }

  async resolve(db: Executor<ExecutionTables>, executions: ClaimedExecution[]): Promise<ExecutionTask[]> {
    if (executions.length === 0) return [];
    const tests = await this.#findTests(db, executions);
    const runs = await this.#findRuns(db, executions);
    const ordered = [...runs].filter(([, run]) => keepsCaptures(run) || run.givesSecrets).map(([id]) => id);
    const captures = ordered.length > 0 ? await loadCaptures(db, ordered) : new Map<string, never>();
    return executions.flatMap((execution) => {
      const test = tests.get(toKey(execution));
      const run = runs.get(execution.run_id);
      const api = run?.apis.find(({ apiId }) => apiId === execution.api_id);
      if (!test || !run || !api) return [];
      const series = getSeries(execution.position, run.seriesSize);
      const own = (captures.get(execution.run_id) ?? []).filter((capture) => capture.series === series);
      return [{ execution, test, run, api, captures: own }];
    });
  }

  /** The member after a task: it sees the captures that the task saw and made. */
  async resolveNext(
    db: Executor<ExecutionTables>,
    { run, captures }: ExecutionTask,
    captured: CapturedValue[],
    execution: ClaimedExecution,
  ): Promise<ExecutionTask | undefined> {
    const test = (await this.#findTests(db, [execution])).get(toKey(execution));
    const api = run.apis.find(({ apiId }) => apiId === execution.api_id);
    if (!test || !api) return undefined;
    const names = new Set(captured.map(({ name }) => name));
    return { execution, test, run, api, captures: [...captures.filter(({ name }) => !names.has(name)), ...captured] };
  }

  async #findTests(db: Executor<ExecutionTables>, executions: ClaimedExecution[]): Promise<Map<string, Test>> {
    const tests = new Map<string, Test>();
    const unknown = new Map<string, { testId: string; version: number }>();
    for (const execution of executions) {
      const test = this.#tests.get(toKey(execution));
      if (test) tests.set(toKey(execution), test);
      else unknown.set(toKey(execution), { testId: execution.test_id, version: execution.test_version });
    }
    if (unknown.size === 0) return tests;
    for (const { testId, version, text } of await loadSnapshots(db, [...unknown.values()])) {
      try {
        const test = parseSnapshot(text);
        tests.set(`${testId} ${version}`, test);
        this.#tests.set(`${testId} ${version}`, test, text.length);
      } catch (error) {
        // An unreadable one must not block the others: its lease expires.
        this.#log.error({ err: error, testId, version }, "the snapshot of a test could not be read");
      }
    }
    return tests;
  }

  async #findRuns(db: Executor<ExecutionTables>, executions: ClaimedExecution[]): Promise<Map<string, RunContext>> {
    const runs = new Map<string, RunContext>();
    const unknown = new Set<string>();
    for (const { run_id: id } of executions) {
      const known = this.#runs.get(id);
      if (known) runs.set(id, known);
      else unknown.add(id);
    }
    if (unknown.size === 0) return runs;
    for (const [id, loaded] of await loadRunContexts(db, [...unknown])) {
      runs.set(id, loaded);
      this.#runs.set(id, loaded);
    }
    return runs;
  }
}

function toKey(execution: ClaimedExecution): string {
  return `${execution.test_id} ${execution.test_version}`;
}
