import type { Executor } from "../../kit/database/database.ts";
import type { Test } from "../../test-registry/contract/tests.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { RunFacts } from "../store/runs.ts";
import { loadRunFacts, loadSnapshots, parseSnapshot } from "../store/snapshots.ts";
import type { ExecutionTables } from "../store/tables.ts";
import { Recent } from "./recent.ts";

export interface ExecutionTask {
  execution: ClaimedExecution;
  test: Test;
  facts: RunFacts;
}

const mostCharacters = 32 * 1024 * 1024;

/** Tests and run facts that were used last: a run started in this process never reads them back. */
export class Snapshots {
  readonly #tests = new Recent<Test>({ most: mostCharacters });
  readonly #facts = new Recent<RunFacts>({ most: 1_000 });

  remember(runId: string, facts: RunFacts, tests: Test[]): void {
    this.#facts.set(runId, facts);
    // An estimate: the parts that can be large.
    for (const test of tests) {
      const body = "text" in test.request.body ? test.request.body.text.length : 0;
      this.#tests.set(`${test.id} ${test.version}`, test, 4_000 + body + (test.data?.length ?? 0) * 200);
    }
  }

  async resolve(db: Executor<ExecutionTables>, executions: ClaimedExecution[]): Promise<ExecutionTask[]> {
    const tests = new Map<string, Test>();
    const facts = new Map<string, RunFacts>();
    for (const execution of executions) {
      const test = this.#tests.get(keyOf(execution));
      if (test) tests.set(keyOf(execution), test);
      const known = this.#facts.get(execution.run_id);
      if (known) facts.set(execution.run_id, known);
    }
    const unknownRuns = [...new Set(executions.map(({ run_id }) => run_id))].filter((id) => !facts.has(id));
    if (unknownRuns.length > 0) {
      for (const [id, loaded] of await loadRunFacts(db, unknownRuns)) {
        facts.set(id, loaded);
        this.#facts.set(id, loaded);
      }
    }
    const unknown = new Map(
      executions
        .filter((execution) => !tests.has(keyOf(execution)))
        .map((execution) => [keyOf(execution), { testId: execution.test_id, version: execution.test_version }]),
    );
    if (unknown.size > 0) {
      for (const { testId, version, text } of await loadSnapshots(db, [...unknown.values()])) {
        const test = parseSnapshot(text);
        tests.set(`${testId} ${version}`, test);
        this.#tests.set(`${testId} ${version}`, test, text.length);
      }
    }
    return executions.flatMap((execution) => {
      const test = tests.get(keyOf(execution));
      const known = facts.get(execution.run_id);
      return test && known ? [{ execution, test, facts: known }] : [];
    });
  }
}

function keyOf(execution: ClaimedExecution): string {
  return `${execution.test_id} ${execution.test_version}`;
}
