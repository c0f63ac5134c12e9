import { createRequire } from "node:module";
import { join } from "node:path";
import { installPackage } from "../../made-suite/installed-package.ts";
import { seed } from "../ours.ts";
import type { Schema, ServerDocument } from "../servers/document.ts";
import type { FaultyServer } from "../servers/faulty-server.ts";
import type { Peer } from "./peer.ts";

interface Step {
  id: string;
  http: { method: string; headers?: Record<string, string> };
}

interface Workflow {
  config: { continueOnFail?: boolean; http: { baseURL: string } };
  tests: { default: { steps: Step[] } };
}

interface Check {
  passed: boolean;
}

interface StepResult {
  id: string;
  passed: boolean;
  errored: boolean;
  checks?: Record<string, Check | Record<string, Check>>;
  response?: { status: number };
}

interface Generator {
  generateWorkflow(document: object, options: object): Promise<Workflow>;
}

interface Faker {
  option(options: { random: () => number }): void;
}

interface Runner {
  run(workflow: Workflow, options: object): Promise<{ result: { tests: { steps: StepResult[] }[] } }>;
}

const version = "2.8.2";
/** The last one has the document's examples, the others bodies that it generates from the schemas. */
const rounds = 10;

/**
 * `stepci generate` and `stepci run`. To its advantage: a failed step doesn't end the workflow, deletions come last and
 * only in the last round, what a body refers to is what the example shows, and there are no conditional headers, which it
 * would fill with any text.
 */
export const stepCi: Peer = {
  name: "StepCI",
  async install() {
    const load = createRequire(join(installPackage("stepci", version), "package.json"));
    const { generateWorkflow } = load("@stepci/plugin-openapi") as Generator;
    const { run } = load("@stepci/runner") as Runner;
    const faker = createRequire(load.resolve("@stepci/plugin-openapi"))("json-schema-faker") as Faker;
    faker.option({ random: createRandom(seed) });
    const generated = new Map<string, Promise<Workflow[]>>();

    async function generate(described: FaultyServer): Promise<Workflow[]> {
      const workflows: Workflow[] = [];
      for (let round = 0; round < rounds; round++) {
        const isLast = round === rounds - 1;
        const workflow = await generateWorkflow(toGenerateFrom(described.document, isLast), {});
        workflows.push(prepare(workflow, described, isLast));
      }
      return workflows;
    }

    return async (described, { origin }) => {
      const known = generated.get(described.name) ?? generate(described);
      generated.set(described.name, known);
      const failures: string[] = [];
      for (const [round, workflow] of (await known).entries()) {
        const sent = structuredClone(workflow);
        sent.config.http = { baseURL: origin };
        const { result } = await run(sent, {});
        for (const step of result.tests.flatMap(({ steps }) => steps)) {
          if (!step.passed) failures.push(`${round} ${step.id}: ${describe(step)}`);
        }
      }
      return failures;
    };
  },
};

function prepare(workflow: Workflow, { apiKey }: FaultyServer, deletes: boolean): Workflow {
  workflow.config.continueOnFail = true;
  const { steps } = workflow.tests.default;
  if (apiKey) for (const { http } of steps) http.headers = { ...http.headers, [apiKey.header]: apiKey.key };
  const isDeletion = ({ http }: Step) => http.method === "DELETE";
  const others = steps.filter((step) => !isDeletion(step));
  workflow.tests.default.steps = deletes ? [...others, ...steps.filter(isDeletion)] : others;
  return workflow;
}

function toGenerateFrom(described: ServerDocument, keepsExamples: boolean): ServerDocument {
  const document = JSON.parse(JSON.stringify(described)) as ServerDocument;
  const operations = Object.values(document.paths).flatMap((one) => Object.values(one));
  const bodies = operations.flatMap(({ requestBody }) =>
    requestBody ? [requestBody.content["application/json"]] : [],
  );
  const shown = Object.assign({}, ...bodies.map(({ example }) => example)) as Record<string, unknown>;
  for (const operation of operations)
    operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== "header");
  if (keepsExamples) return document;
  for (const body of bodies) {
    delete body.example;
    const { properties } = document.components.schemas[String(body.schema.$ref).split("/").at(-1)!]!;
    for (const [name, schema] of Object.entries(properties as Record<string, Schema>))
      if (schema.format === "uuid" && shown[name] !== undefined) schema.const = shown[name];
  }
  return document;
}

function describe({ checks = {}, errored, response }: StepResult): string {
  const failed = Object.entries(checks).filter(([, check]) => !isPassed(check));
  return [response?.status, ...failed.map(([name]) => name), ...(errored ? ["errored"] : [])].join(" ");
}

const isPassed = (check: Check | Record<string, Check>): boolean =>
  typeof check.passed === "boolean" ? check.passed : Object.values(check).every(({ passed }) => passed);

/** Numbers from 0 to below 1 (mulberry32), so that a run can be repeated. */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
