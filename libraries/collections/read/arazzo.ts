import type { CollectedAssertion, CollectedBody, CollectedRequest, Pair } from "../collection.ts";
import { fillExpressions, toArazzoCapture, toConditions, toResponsePart } from "./arazzo-expressions.ts";
import { toVariableName } from "./placeholders.ts";
import { Collector, noBody, type Reading, type SourceFile, toPair, UnreadableFile } from "./reading.ts";
import { reasons } from "./reasons.ts";
import { toPattern } from "./script/value-expectations.ts";
import { isMembers, listOf, type Members, membersOf, type Path, readTree, type Tree, textOf } from "./tree.ts";

export const isArazzo = (value: unknown): boolean =>
  isMembers(value) && /^1\.\d/.test(textOf(value.arazzo)) && Array.isArray(value.workflows);

/** Reads documents of Arazzo 1.0 and 1.1: each workflow is a sequence of requests, by operations of an API. */
export function readArazzo(files: readonly SourceFile[]): Reading {
  const trees = files.map(readTree);
  const collector = new Collector(textOf(membersOf(membersOf(trees[0]?.value).info).title) || "Workflows");
  for (const tree of trees) {
    if (!isArazzo(tree.value)) throw new UnreadableFile(tree.file, 1, "It is no document of Arazzo 1.0 or 1.1.");
    new ArazzoReader(tree, collector).read();
  }
  return collector.finish();
}

class ArazzoReader {
  readonly #root: Members;
  readonly #requestsBy = new Map<string, string[]>();

  constructor(
    readonly tree: Tree,
    readonly collector: Collector,
  ) {
    this.#root = membersOf(tree.value);
  }

  read(): void {
    for (const [index, one] of listOf(this.#root.workflows).entries())
      this.#readWorkflow(membersOf(one), ["workflows", index]);
  }

  #lose(path: Path, of: string, what: string, reason: string): void {
    this.collector.lose(this.tree.at(path), of, what, reason);
  }

  /** What `reference` or `$ref` points to in the components. */
  #resolve(value: unknown): Members {
    const members = membersOf(value);
    const [, kind, name] = /^\$components\.(\w+)\.([\w.-]+)$/.exec(textOf(members.reference)) ?? [];
    if (kind === undefined) return members;
    return {
      ...membersOf(membersOf(membersOf(this.#root.components)[kind])[name!]),
      ...(members.value === undefined ? {} : { value: members.value }),
    };
  }

  #readWorkflow(workflow: Members, path: Path): void {
    const id = textOf(workflow.workflowId) || "workflow";
    this.#readInputs(workflow.inputs, [...path, "inputs"], id);
    const requests: string[] = [];
    for (const [index, one] of listOf(workflow.steps).entries()) {
      const here = [...path, "steps", index];
      const step = membersOf(one);
      const known = step.workflowId === undefined ? undefined : this.#requestsBy.get(textOf(step.workflowId));
      if (known) requests.push(...known);
      else requests.push(...this.#readStep(step, here, id, workflow));
    }
    for (const [name, expression] of Object.entries(membersOf(workflow.outputs)))
      if (!/^\$steps\./.test(textOf(expression)))
        this.#lose([...path, "outputs", name], id, `output ${name}`, "Only outputs of steps are captured.");
    this.#requestsBy.set(id, requests);
    const name = textOf(workflow.summary) || id;
    this.collector.addSequence({
      ...this.tree.at(path),
      name,
      description: textOf(workflow.description),
      requests,
      stopOnFailure: true,
    });
  }

  #readInputs(inputs: unknown, path: Path, of: string): void {
    const reference = textOf(membersOf(inputs).$ref);
    const [, name] = /^#\/components\/inputs\/(.+)$/.exec(reference) ?? [];
    const schema =
      name === undefined ? membersOf(inputs) : membersOf(membersOf(membersOf(this.#root.components).inputs)[name]);
    for (const [property, value] of Object.entries(membersOf(schema.properties))) {
      const { default: fallback, example, examples, format } = membersOf(value);
      const given = fallback ?? example ?? listOf(examples)[0];
      const written = isMembers(given) || Array.isArray(given) ? JSON.stringify(given) : textOf(given);
      const variable = toVariableName(property);
      const { variables } = this.collector.collection;
      if (!variables.some((one) => one.name === variable))
        variables.push({ name: variable, value: written, secret: format === "password" });
      if (written === "")
        this.#lose(
          [...path, "properties", property],
          of,
          `input ${property}`,
          "It has no default. Enter a value for the variable at the API, its environment or the circle.",
        );
    }
  }

  #readStep(step: Members, path: Path, workflowId: string, workflow: Members): string[] {
    const name = textOf(step.stepId) || "step";
    const lose = (what: string, reason: string, at: Path = path) => this.#lose(at, name, what, reason);
    const unknown = (expression: string) => lose(expression, "The expression is known only when the workflow runs.");
    const operation = this.#readOperation(step);
    if (!operation) {
      const what =
        step.workflowId === undefined
          ? step.channelPath === undefined
            ? "step"
            : "message of a channel"
          : `workflow ${textOf(step.workflowId)}`;
      lose(
        what,
        step.workflowId === undefined
          ? "It names no operation of an OpenAPI document."
          : "Only workflows before it in the same document are run.",
      );
      return [];
    }
    const parts = { query: [] as Pair[], path: [] as Pair[], header: [] as Pair[], cookie: [] as Pair[] };
    for (const one of [...listOf(workflow.parameters), ...listOf(step.parameters)].map((value) =>
      this.#resolve(value),
    )) {
      const location = textOf(one.in);
      const value =
        isMembers(one.value) || Array.isArray(one.value)
          ? JSON.stringify(one.value)
          : fillExpressions(textOf(one.value), unknown);
      if (!Object.hasOwn(parts, location)) {
        lose(
          `parameter ${textOf(one.name)}`,
          location === "" ? "It is of a workflow, not of a request." : `Parameters in ${location} are not known.`,
        );
        continue;
      }
      const rows = parts[location as keyof typeof parts];
      const before = rows.findIndex((row) => row.name === textOf(one.name));
      if (before >= 0) rows.splice(before, 1);
      rows.push(toPair(textOf(one.name), value));
    }
    const retry = [...listOf(step.onFailure), ...listOf(workflow.failureActions)]
      .map((value) => this.#resolve(value))
      .find((one) => one.type === "retry");
    for (const key of ["onSuccess", "onFailure"] as const)
      for (const [index, one] of listOf(step[key]).entries()) {
        const action = this.#resolve(one);
        if (action !== retry && action.type !== "end")
          lose(
            `${key} ${textOf(action.name) || textOf(action.type)}`,
            "A circle runs its tests in order: it has no jumps.",
            [...path, key, index],
          );
      }
    const added = this.collector.add(
      {
        ...this.tree.at([...path, "stepId"]),
        ...{ name, folders: [workflowId], description: textOf(step.description), ...operation },
        ...{ pathParameters: parts.path, query: parts.query, headers: parts.header, cookies: parts.cookie },
        body: this.#readBody(membersOf(step.requestBody), [...path, "requestBody"], name, unknown),
        retries: retry ? Math.max(1, Number(retry.retryLimit) || 1) : undefined,
        timeoutMilliseconds: Number(step.timeout) || undefined,
        assertions: this.#readCriteria(step, path, name),
        captures: Object.entries(membersOf(step.outputs)).flatMap(([output, expression]) => {
          const capture = toArazzoCapture(toVariableName(`${name}_${output}`), textOf(expression));
          if (!capture) lose(`output ${output}`, reasons.noCapture, [...path, "outputs", output]);
          return capture ?? [];
        }),
      },
      `${workflowId}/${name}`,
    );
    return [added.id];
  }

  #readOperation(step: Members): Pick<CollectedRequest, "method" | "url" | "operationId"> | undefined {
    const id = textOf(step.operationId);
    if (id !== "") return { method: "", url: "", operationId: id.replace(/^\$sourceDescriptions\.[^.]+\./, "") };
    const [, pointer] = /#\/paths\/(\S+)$/.exec(textOf(step.operationPath)) ?? [];
    if (pointer === undefined) return undefined;
    const slash = pointer.lastIndexOf("/");
    const path = pointer.slice(0, slash).replace(/~1/g, "/").replace(/~0/g, "~");
    return { method: pointer.slice(slash + 1).toUpperCase(), url: `{{baseUrl}}${path}` };
  }

  #readBody(body: Members, path: Path, of: string, unknown: (expression: string) => void): CollectedBody {
    const { contentType, payload, replacements } = body;
    if (payload === undefined) return noBody;
    if (listOf(replacements).length > 0)
      this.#lose([...path, "replacements"], of, "replacements", "Write the values into the body instead.");
    const type = textOf(contentType) || "application/json";
    const fill = (value: unknown, depth: number): unknown => {
      if (typeof value === "string") return fillExpressions(value, unknown);
      if (depth > 50) return value;
      if (Array.isArray(value)) return value.map((one) => fill(one, depth + 1));
      return isMembers(value)
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, depth + 1)]))
        : value;
    };
    if (/^application\/x-www-form-urlencoded/i.test(type) && isMembers(payload))
      return {
        kind: "form",
        fields: Object.entries(payload).map(([name, value]) => toPair(name, fillExpressions(textOf(value), unknown))),
      };
    if (typeof payload === "string") {
      const text = payload.startsWith("$")
        ? fillExpressions(payload, unknown)
        : payload.replace(/"?\{?(\$(?:inputs|steps)\.[\w.-]+)\}?"?/g, (whole, expression: string) => {
            const filled = fillExpressions(expression, unknown);
            return whole.startsWith('"') && whole.endsWith('"') ? `"${filled}"` : filled;
          });
      return /json/i.test(type) ? { kind: "json", text, mediaType: type } : { kind: "text", text, mediaType: type };
    }
    return { kind: "json", text: JSON.stringify(fill(payload, 0), null, 2), mediaType: type };
  }

  #readCriteria(step: Members, path: Path, of: string): CollectedAssertion[] {
    return listOf(step.successCriteria).flatMap((one, index) => {
      const criterion = membersOf(one);
      const found = this.#readCriterion(criterion);
      if (found) return found;
      const reason = reasons.noAssertion;
      this.#lose([...path, "successCriteria", index], of, `criterion ${textOf(criterion.condition)}`, reason);
      return [];
    });
  }

  #readCriterion({ condition, context, type }: Members): CollectedAssertion[] | undefined {
    const kind = textOf(type) || textOf(membersOf(type).type) || "simple";
    const text = textOf(condition);
    if (kind === "simple") return toConditions(text);
    const part = toResponsePart(textOf(context));
    if (!part) return undefined;
    if (kind === "regex" && (part.source === "body" || part.source === "header" || part.source === "jsonPath"))
      return [{ ...part, comparison: "matches", target: toPattern({ source: text, flags: "" }) }];
    if (kind === "regex" && part.source === "statusCode" && /^\^?\d{3}\$?$/.test(text))
      return [{ ...part, comparison: "equals", target: Number(text.replace(/\D/g, "")) }];
    if (kind === "jsonpath" && part.source === "body")
      return [{ source: "jsonPath", property: text, comparison: "exists", target: undefined }];
    if (kind === "xpath" && part.source === "body")
      return [{ source: "xPath", property: text, comparison: "exists", target: undefined }];
    return undefined;
  }
}
