import { expect, test } from "vitest";
import { reportedExecution, runSummary, writeWhole } from "../../testing/reported-run.ts";
import { writeJsonReport } from "./json.ts";

test("a run and its executions read back unchanged", async () => {
  const run = runSummary();
  const executions = [reportedExecution(), reportedExecution({ position: 2, row: 1 })];
  expect(JSON.parse(await writeWhole(writeJsonReport, run, executions))).toEqual({ run, executions });
});

test("expected and actual numbers are written with every digit", async () => {
  const verification = {
    kind: "assertion",
    source: "jsonPath",
    comparison: "equals",
    outcome: "failed",
    passed: false,
  };
  const numbers = { target: 1, targetJson: "1.0", actual: 9007199254740992, actualJson: "9007199254740993" };
  const execution = reportedExecution({ verifications: [{ ...verification, message: "", ...numbers }] as never });
  const written = await writeWhole(writeJsonReport, runSummary(), [execution]);
  expect(written).toContain('"target":1.0,');
  expect(written).toContain('"actual":9007199254740993,');
});

test("an empty run is valid JSON, too", async () => {
  const run = runSummary();
  expect(JSON.parse(await writeWhole(writeJsonReport, run, []))).toEqual({ run, executions: [] });
});

test("an execution is written before the next one is read", async () => {
  const written: string[] = [];
  async function* read() {
    for (const position of [1, 2]) {
      written.push(`read ${position}`);
      yield reportedExecution({ position });
    }
  }
  for await (const piece of writeJsonReport(runSummary(), read())) {
    const position = /"position":(\d)/.exec(piece)?.[1];
    if (position) written.push(`wrote ${position}`);
  }
  expect(written).toEqual(["read 1", "wrote 1", "read 2", "wrote 2"]);
});
