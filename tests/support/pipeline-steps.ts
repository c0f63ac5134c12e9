import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { type Ended, runCommand } from "./command-line.ts";

export interface PipelineOptions {
  inputs: Record<string, string>;
  /** Of the runner, beside what a step says. */
  environment: Record<string, string>;
  /** The checkout. */
  folder: string;
}

interface ActionStep {
  id?: string;
  if?: string;
  shell: string;
  env: Record<string, string>;
  run: string;
}

/**
 * Runs the steps of the composite action as a runner of GitHub does: each by bash with its `env`, in which inputs and
 * outputs of steps before it stand.
 */
export async function runAction({ inputs, environment, folder }: PipelineOptions): Promise<Ended> {
  const action = parse(readFileSync("integrations/github/action.yml", "utf8")) as {
    inputs: Record<string, { default: string }>;
    runs: { using: string; steps: ActionStep[] };
  };
  const known: Record<string, string> = { "github.token": environment.RUNNER_GITHUB_TOKEN ?? "" };
  const fill = (text: string) =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (whole, name: string) => known[name] ?? (/^steps/.test(name) ? "" : whole));
  const unknown = Object.keys(inputs).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`The action has no input ${unknown.join(", ")}.`);
  for (const [name, input] of Object.entries(action.inputs))
    known[`inputs.${name}`] = inputs[name] ?? fill(String(input.default));

  const all: Ended = { code: 0, stdout: "", stderr: "" };
  for (const [index, step] of action.runs.steps.entries()) {
    if (!isWanted(step.if, known, all.code !== 0)) continue;
    const output = join(folder, `output-${index}`);
    writeFileSync(output, "");
    const script = join(folder, `step-${index}.sh`);
    writeFileSync(script, step.run);
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value)]));
    const ended = await runCommand(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], {
      environment: { GITHUB_ACTIONS: "true", RUNNER_TEMP: folder, ...environment, ...env, GITHUB_OUTPUT: output },
      cwd: folder,
    });
    for (const line of readFileSync(output, "utf8").split("\n")) {
      const [, name, value] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (name) known[`steps.${step.id}.outputs.${name}`] = value!;
    }
    all.code ||= ended.code;
    all.stdout += ended.stdout;
    all.stderr += ended.stderr;
  }
  return all;
}

/** Of the conditions that GitHub knows, those that the action has. */
function isWanted(condition: string | undefined, known: Record<string, string>, hasFailed: boolean): boolean {
  if (condition === undefined) return !hasFailed;
  const [, name, value] = /^\$\{\{ !cancelled\(\) && ([\w.]+) == '(\w+)' \}\}$/.exec(condition) ?? [];
  if (!name) throw new Error(`The condition ${condition} is not known here.`);
  return known[name] === value;
}

export interface Component {
  inputs: Record<string, { default: string | boolean; type?: string }>;
  job: {
    variables: Record<string, string | { value: string }>;
    script: string[];
    allow_failure: { exit_codes: number[] };
    artifacts: { reports: Record<string, string> };
  };
}

/** The component of GitLab with these inputs, which stand in its values as GitLab interpolates them. */
export function readComponent(inputs: Record<string, string> = {}): Component {
  const [header, body] = parseAllDocuments(readFileSync("integrations/gitlab/templates/assurance.yml", "utf8"));
  const { spec } = header!.toJS() as { spec: Pick<Component, "inputs"> };
  const fill = (text: string) =>
    text.replace(
      /\$\[\[ inputs\.([\w-]+) \]\]/g,
      (_, name: string) => inputs[name] ?? String(spec.inputs[name]!.default),
    );
  const jobs = JSON.parse(JSON.stringify(body!.toJS()), (_key, value) =>
    typeof value === "string" ? fill(value) : value,
  ) as Record<string, Component["job"]>;
  return { inputs: spec.inputs, job: Object.values(jobs)[0]! };
}

/** Runs the script of the component's job as a runner of GitLab does, by the plain shell of a small image. */
export async function runComponent({ inputs, environment, folder }: PipelineOptions): Promise<Ended> {
  const { job } = readComponent(inputs);
  const variables = Object.entries(job.variables).map(([name, one]) => [
    name,
    typeof one === "string" ? one : one.value,
  ]);
  const script = join(folder, "job.sh");
  writeFileSync(script, job.script.join("\n"));
  return await runCommand(["sh", "-e", script], {
    environment: { GITLAB_CI: "true", CI: "true", ...environment, ...Object.fromEntries(variables) },
    cwd: folder,
  });
}
