import { createRequire } from "node:module";
import { join } from "node:path";
import { installPackage } from "../../made-suite/installed-package.ts";
import type { ServerDocument } from "../servers/document.ts";
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

interface Runner {
  run(workflow: Workflow, options: object): Promise<{ result: { tests: { steps: StepResult[] }[] } }>;
}

const version = "2.8.2";
/** The last one has the document's examples, the others bodies that it generates from the schemas. */
const rounds = 10;

/**
 * `stepci generate` and `stepci run`. To its advantage: a failed step doesn't end the workflow, deletions come last and
 * only in the last round, and there are no conditional headers, which it would fill with any text.
 */
export const stepCi: Peer = {
  name: "StepCI",
  async install() {
    const load = createRequire(join(installPackage("stepci", version), "package.json"));
    const { generateWorkflow } = load("@stepci/plugin-openapi") as Generator;
    const { run } = load("@stepci/runner") as Runner;
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
  const document = structuredClone(described);
  for (const operation of Object.values(document.paths).flatMap((one) => Object.values(one))) {
    operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== "header");
    if (operation.requestBody && !keepsExamples) delete operation.requestBody.content["application/json"].example;
  }
  return document;
}

function describe({ checks = {}, errored, response }: StepResult): string {
  const failed = Object.entries(checks).filter(([, check]) => !isPassed(check));
  return [response?.status, ...failed.map(([name]) => name), ...(errored ? ["errored"] : [])].join(" ");
}

const isPassed = (check: Check | Record<string, Check>): boolean =>
  typeof check.passed === "boolean" ? check.passed : Object.values(check).every(({ passed }) => passed);
