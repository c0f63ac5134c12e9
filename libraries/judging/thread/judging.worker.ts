import { parentPort, workerData } from "node:worker_threads";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import { createMarkupReader } from "../../xpath/document.ts";
import { getEvaluationMilliseconds } from "../cost.ts";
import { judgeResponse } from "../judge-response.ts";
import type { JudgedOperation } from "../judged-response.ts";
import { createAjvValidator } from "../schema/ajv-validator.ts";
import { JudgingActivity } from "./activity.ts";
import {
  compilingMilliseconds,
  type ItemMessage,
  type JudgedMessage,
  type JudgingMessage,
  startMilliseconds,
} from "./messages.ts";

const port = parentPort;
if (!port) throw new Error("judging.worker runs as a thread only");

/** Milliseconds after which the judged items of a message are returned. */
const longestSilence = 2;

const activity = new JudgingActivity(workerData as SharedArrayBuffer);
let evaluationMilliseconds = 0;
const allow = (phase: "starts" | "ends") =>
  activity.allow(phase === "starts" ? compilingMilliseconds : evaluationMilliseconds);
const evaluators = { schemas: createAjvValidator(allow), markup: createMarkupReader(allow) };

/** Compiled schemas are cached as long as their operation is in this map. */
const operations = new Map<string, JudgedOperation>();

function findOperation({ key, text }: NonNullable<ItemMessage["operation"]>): JudgedOperation {
  const operation = text === undefined ? operations.get(key) : (JSON.parse(text) as JudgedOperation);
  if (!operation) throw new Error("an operation is named that never came");
  operations.set(key, operation);
  return operation;
}

function judge({ id, item, operation, forgotten, abandoned }: ItemMessage): Judgement {
  for (const key of forgotten) operations.delete(key);
  evaluationMilliseconds = getEvaluationMilliseconds(item);
  const judgement = judgeResponse(item, operation && findOperation(operation), evaluators, {
    begin: (task) => activity.begin(id, task, evaluationMilliseconds),
    isAbandoned: (task) => abandoned.includes(task),
  });
  activity.begin(0, 0, startMilliseconds);
  return judgement;
}

port.on("message", (items: JudgingMessage) => {
  let judged: JudgedMessage["judged"] = [];
  let startedAt = performance.now();
  for (const [index, item] of items.entries()) {
    judged.push({ id: item.id, judgement: judge(item) });
    const milliseconds = performance.now() - startedAt;
    // Who waits for a quick item does not wait for a slow one behind it.
    if (milliseconds < longestSilence && index < items.length - 1) continue;
    port.postMessage({ judged, milliseconds } satisfies JudgedMessage);
    judged = [];
    startedAt = performance.now();
  }
});
