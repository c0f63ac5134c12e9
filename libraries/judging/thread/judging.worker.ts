import { parentPort, workerData } from "node:worker_threads";
import { createMarkupReader } from "../../xpath/document.ts";
import { getEvaluationMilliseconds } from "../cost.ts";
import { judgeResponse } from "../judge-response.ts";
import type { JudgedOperation } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { JudgingActivity } from "./activity.ts";
import { compilingMilliseconds, type JudgedMessage, type JudgingMessage, startMilliseconds } from "./messages.ts";

const port = parentPort;
if (!port) throw new Error("judging.worker runs as a thread only");

const activity = new JudgingActivity(workerData as SharedArrayBuffer);
let evaluationMilliseconds = 0;
const allow = (phase: "starts" | "ends") =>
  activity.allow(phase === "starts" ? compilingMilliseconds : evaluationMilliseconds);
const evaluators = { schemas: createAjvValidator(allow), markup: createMarkupReader(allow) };

/** Compiled schemas are cached as long as their operation is in this map. */
const operations = new Map<string, JudgedOperation>();

function findOperation({ key, text }: NonNullable<JudgingMessage["operation"]>): JudgedOperation {
  const operation = text === undefined ? operations.get(key) : (JSON.parse(text) as JudgedOperation);
  if (!operation) throw new Error("an operation is named that never came");
  operations.set(key, operation);
  return operation;
}

port.on("message", ({ id, item, operation, forgotten, abandoned }: JudgingMessage) => {
  for (const key of forgotten) operations.delete(key);
  evaluationMilliseconds = getEvaluationMilliseconds(item);
  const judgement = judgeResponse(item, operation && findOperation(operation), evaluators, {
    begin: (task) => activity.begin(id, task, evaluationMilliseconds),
    isAbandoned: (task) => abandoned.includes(task),
  });
  port.postMessage({ id, judgement } satisfies JudgedMessage);
  activity.begin(0, 0, startMilliseconds);
});
