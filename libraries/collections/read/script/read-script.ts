import {
  type ArrowFunctionExpression,
  type CallExpression,
  type Expression,
  type FunctionExpression,
  type Node,
  parse,
  type Statement,
} from "acorn";
import type { CollectedAssertion, CollectedCapture } from "../../collection.ts";
import { toVariableName } from "../placeholders.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { readExpectation } from "./expectation.ts";
import { toCapture, type Value } from "./value.ts";
import { fromComparison } from "./value-expectations.ts";

export interface ScriptReading {
  assertions: CollectedAssertion[];
  captures: CollectedCapture[];
  /** Variables that are set to what is written in the script. */
  literals: { name: string; value: string }[];
  /** `line`: of the script, from 1. */
  losses: { line: number; what: string; reason: string }[];
}

/** A script of more characters is not read. */
const maxCharacters = 200_000;

const setters = /^(client\.global\.set|postman\.set(Environment|Global)Variable|bru\.set(Env|Global|Collection)?Var)$/;
const setScopes = /^(environment|collectionVariables|globals|variables)$/;

/**
 * Reads what a script asserts and stores, from its syntax tree: it is never run.
 * @param statusIsCode whether `res.status` is the code, as in Bruno, and not the text beside it
 */
export function readScript(text: string, { statusIsCode = false } = {}): ScriptReading {
  const reading: ScriptReading = { assertions: [], captures: [], literals: [], losses: [] };
  if (text.trim() === "") return reading;
  if (text.length > maxCharacters) {
    reading.losses.push({ line: 1, what: "script", reason: `It has more than ${maxCharacters} characters.` });
    return reading;
  }
  let body: (Statement | Node)[];
  try {
    body = parse(text, {
      ...{ ecmaVersion: "latest", locations: true, sourceType: "script" },
      ...{ allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true },
    }).body;
  } catch (error) {
    const { loc, message } = error as { loc?: { line: number }; message: string };
    const reason = `It is not JavaScript: ${message.replace(/ \(\d+:\d+\)$/, "")}.`;
    reading.losses.push({ line: loc?.line ?? 1, what: "script", reason });
    return reading;
  }
  const scope: Scope = new Map();
  if (statusIsCode) scope.set("%status", { kind: "statusCode" });
  try {
    new ScriptReader(text, reading).readAll(body, scope, undefined);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reading.losses.push({ line: 1, what: "script", reason: "It is nested too deeply to be read." });
  }
  return reading;
}

const neverRun = "Scripts are never run, and no assertion or capture says the same.";

class ScriptReader {
  constructor(
    readonly text: string,
    readonly reading: ScriptReading,
  ) {}

  /** @param test name of the test that the statements are in */
  readAll(statements: readonly Node[], scope: Scope, test: string | undefined): void {
    for (const statement of statements) this.#readStatement(statement, scope, test);
  }

  #lose(node: Node, what: string, reason: string): void {
    this.reading.losses.push({ line: node.loc?.start.line ?? 1, what, reason });
  }

  /** As it is named in a list of losses. */
  #quote(node: Node): string {
    const code = this.text.slice(node.start, node.end).replace(/\s+/g, " ");
    return code.length > 80 ? `${code.slice(0, 79)}…` : code;
  }

  #readStatement(node: Node, scope: Scope, test: string | undefined): void {
    switch (node.type) {
      case "EmptyStatement":
        return;
      case "ExpressionStatement":
        this.#readExpression((node as unknown as { expression: Expression }).expression, scope, test);
        return;
      case "VariableDeclaration":
        this.#readDeclaration(node, scope);
        return;
      case "BlockStatement":
        this.readAll((node as unknown as { body: Node[] }).body, new Map(scope), test);
        return;
      case "TryStatement":
        this.readAll((node as unknown as { block: { body: Node[] } }).block.body, new Map(scope), test);
        return;
      case "ReturnStatement": {
        const { argument } = node as unknown as { argument: Expression | null };
        if (argument) this.#readExpression(argument, scope, test);
        return;
      }
      case "IfStatement":
        this.#lose(
          node,
          `condition ${this.#quote((node as unknown as { test: Node }).test)}`,
          `${neverRun} What depends on it is left out.`,
        );
        return;
      case "FunctionDeclaration":
        this.#lose(node, "function", neverRun);
        return;
      default:
        this.#lose(node, this.#quote(node), neverRun);
        return;
    }
  }

  #readDeclaration(node: Node, scope: Scope): void {
    const { declarations } = node as unknown as { declarations: { id: Node; init: Expression | null }[] };
    for (const { id, init } of declarations) {
      const value = evaluate(init, scope);
      if (id.type === "Identifier") {
        const { name } = id as unknown as { name: string };
        if (value) scope.set(name, value);
        // What can't be said is reported where it is used.
        else scope.delete(name);
      } else if (id.type === "ObjectPattern" && value?.kind === "json") {
        for (const { key, value: bound } of (id as unknown as { properties: { key?: Node; value?: Node }[] })
          .properties) {
          const [from, to] = [key, bound].map((one) => (one as { name?: string } | undefined)?.name);
          if (from && to) scope.set(to, { kind: "json", path: `${value.path}.${from}` });
        }
      }
    }
  }

  #readExpression(node: Expression, scope: Scope, test: string | undefined): void {
    if (node.type === "AwaitExpression") {
      this.#readExpression(node.argument, scope, test);
      return;
    }
    if (node.type === "AssignmentExpression") {
      this.#readAssignment(node, scope);
      return;
    }
    if (node.type === "CallExpression") {
      const name = this.#calleeName(node);
      if (/^(pm\.test|test|it|insomnia\.test|client\.test)$/.test(name)) {
        this.#readTest(node, scope);
        return;
      }
      if (name === "client.assert" || name === "insomnia.assert") {
        this.#readCondition(node, node.arguments[0], scope);
        return;
      }
      if (/^console\./.test(name)) {
        this.#lose(
          node,
          this.#quote(node),
          "What it prints is nowhere to be seen: executions keep request and response.",
        );
        return;
      }
      if (this.#isSetter(node, name, scope)) {
        this.#readSetter(node, scope);
        return;
      }
    }
    const found = readExpectation(node, scope);
    const of = test === undefined ? "" : ` of “${test}”`;
    if (!found) {
      this.#lose(node, `${this.#quote(node)}${of}`, neverRun);
      return;
    }
    if ("assertions" in found) this.reading.assertions.push(...found.assertions);
    if (found.lost !== undefined) this.#lose(node, `${this.#quote(node)}${of}`, found.lost);
  }

  #calleeName({ callee }: CallExpression): string {
    return this.text.slice(callee.start, callee.end).replace(/\s+/g, "");
  }

  #readTest({ arguments: given }: CallExpression, scope: Scope): void {
    const [title, body] = given as [Expression?, (FunctionExpression | ArrowFunctionExpression)?];
    const named = evaluate(title, scope);
    const name = named?.kind === "literal" ? String(named.value) : this.#quote(title ?? body!);
    if (!body || !("body" in body)) return;
    const inner = new Map(scope);
    if (body.body.type === "BlockStatement") this.readAll(body.body.body, inner, name);
    else this.#readExpression(body.body as Expression, inner, name);
  }

  #isSetter({ callee }: CallExpression, name: string, scope: Scope): boolean {
    if (setters.test(name)) return true;
    if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return false;
    const of = evaluate(callee.object, scope);
    return callee.property.name === "set" && of?.kind === "scope" && setScopes.test(of.name);
  }

  #readSetter(node: CallExpression, scope: Scope): void {
    const [name, value] = node.arguments.map((argument) => evaluate(argument, scope));
    if (name?.kind !== "literal" || typeof name.value !== "string") {
      this.#lose(node, this.#quote(node), neverRun);
      return;
    }
    const variable = toVariableName(name.value);
    if (value?.kind === "literal" && value.value !== undefined && typeof value.value !== "object") {
      this.reading.literals.push({ name: variable, value: String(value.value) });
      return;
    }
    const capture = value && toCapture(variable, value);
    if (capture) this.reading.captures.push(capture);
    else
      this.#lose(
        node,
        this.#quote(node),
        "A capture takes one value of the response as it is; this value is made by the script.",
      );
  }

  /** `tests["name"] = …` of older scripts, and variables that are given a value later. */
  #readAssignment(node: Expression & { type: "AssignmentExpression" }, scope: Scope): void {
    const { left, right, operator } = node;
    const value: Value | undefined = evaluate(right, scope);
    if (left.type === "Identifier" && operator === "=") {
      if (value) scope.set(left.name, value);
      else scope.delete(left.name);
      return;
    }
    if (left.type === "MemberExpression" && left.object.type === "Identifier" && left.object.name === "tests")
      this.#readCondition(node, right, scope);
    else this.#lose(node, this.#quote(node), neverRun);
  }

  #readCondition(node: Node, condition: Node | undefined, scope: Scope): void {
    const value = evaluate(condition, scope);
    const found = value?.kind === "comparison" ? fromComparison(value) : { lost: neverRun };
    if ("assertions" in found) this.reading.assertions.push(...found.assertions);
    if (found.lost !== undefined) this.#lose(node, this.#quote(node), found.lost);
  }
}
