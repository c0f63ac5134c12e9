import { parentPort, workerData } from "node:worker_threads";
import { judgeResponse } from "../judge-response.ts";
import type { JudgedOperation } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { JudgingActivity } from "./activity.ts";
import { type Batch, compilingMilliseconds, evaluationMilliseconds, type JudgedItem } from "./batch.ts";

const port = parentPort;
if (!port) throw new Error("judging.worker runs as a thread only");

const activity = new JudgingActivity(workerData as SharedArrayBuffer);
const validator = createAjvValidator((phase) =>
  activity.allow(phase === "starts" ? compilingMilliseconds : evaluationMilliseconds),
);

/** Operations by their text, the one used longest ago first: with them their compiled schemas are kept. */
const operations = new Map<string, JudgedOperation>();
const keptOperations = 200;

function operationFrom(text: string): JudgedOperation {
  const known = operations.get(text);
  if (known) operations.delete(text);
  const operation = known ?? (JSON.parse(text) as JudgedOperation);
  operations.set(text, operation);
  if (operations.size > keptOperations) {
    const oldest = operations.keys().next().value;
    if (oldest !== undefined) operations.delete(oldest);
  }
  return operation;
}

port.on("message", (batch: Batch) => {
  const known = batch.operations.map(operationFrom);
  const abandoned = new Map(batch.abandoned);
  for (const [index, { item, operation }] of batch.items.entries()) {
    const skipped = abandoned.get(index);
    const judgement = judgeResponse(item, operation === undefined ? undefined : known[operation], validator, {
      begin: (task) => activity.begin(index, task, evaluationMilliseconds),
      isAbandoned: (task) => skipped?.includes(task) ?? false,
    });
    port.postMessage({ item: index, judgement } satisfies JudgedItem);
  }
});
