import type { CallExpression, Expression, MemberExpression, Node, PrivateIdentifier, Super } from "acorn";
import { toVariableName } from "../placeholders.ts";
import { toMember, toTarget, type Value } from "./value.ts";

/** Names and what they stand for; those of an outer function are found as well. */
export type Scope = Map<string, Value>;

type Any = Expression | PrivateIdentifier | Super | Node;

const globals: Record<string, Value> = {
  res: { kind: "response" },
  response: { kind: "response" },
  responseBody: { kind: "body" },
  responseTime: { kind: "responseTime" },
  undefined: { kind: "literal", value: undefined },
};

/** Members of the response in Postman, Bruno and Insomnia. */
const ofResponse: Record<string, Value> = {
  code: { kind: "statusCode" },
  statusCode: { kind: "statusCode" },
  statusText: { kind: "statusText" },
  responseTime: { kind: "responseTime" },
  responseSize: { kind: "bodySize" },
  headers: { kind: "headers" },
  body: { kind: "json", path: "$" },
};

const responseCalls: Record<string, Value> = {
  json: { kind: "json", path: "$" },
  text: { kind: "body" },
  getBody: { kind: "json", path: "$" },
  getStatus: { kind: "statusCode" },
  getResponseTime: { kind: "responseTime" },
  getHeaders: { kind: "headers" },
};

const variableScopes = /^(environment|collectionVariables|globals|variables|iterationData)$/;

const inverse: Record<string, string> = {
  equals: "notEquals",
  notEquals: "equals",
  lessThan: "greaterThanOrEqual",
  greaterThanOrEqual: "lessThan",
  greaterThan: "lessThanOrEqual",
  lessThanOrEqual: "greaterThan",
  contains: "notContains",
  notContains: "contains",
  exists: "notExists",
  notExists: "exists",
  oneOf: "noneOf",
  noneOf: "oneOf",
  matches: "notMatches",
  notMatches: "matches",
  isEmpty: "isNotEmpty",
  isNotEmpty: "isEmpty",
  isNull: "isNotNull",
  isNotNull: "isNull",
};

/** The comparison that holds exactly where the other one doesn't. */
export const toInverse = (comparison: string): string | undefined => inverse[comparison];

const operators: Record<string, string> = {
  "===": "equals",
  "==": "equals",
  "!==": "notEquals",
  "!=": "notEquals",
  "<": "lessThan",
  "<=": "lessThanOrEqual",
  ">": "greaterThan",
  ">=": "greaterThanOrEqual",
};
const mirrored: Record<string, string> = {
  lessThan: "greaterThan",
  greaterThan: "lessThan",
  lessThanOrEqual: "greaterThanOrEqual",
  greaterThanOrEqual: "lessThanOrEqual",
};

/** What an expression stands for, read from its syntax tree; undefined where that can't be said. */
export function evaluate(node: Any | null | undefined, scope: Scope): Value | undefined {
  switch (node?.type) {
    case "Literal": {
      const { value, regex } = node as { value?: unknown; regex?: { pattern: string; flags: string } };
      if (regex) return { kind: "pattern", source: regex.pattern, flags: regex.flags };
      return typeof value === "bigint" ? undefined : { kind: "literal", value };
    }
    case "Identifier": {
      const { name } = node as { name: string };
      return scope.get(name) ?? (Object.hasOwn(globals, name) ? globals[name] : undefined);
    }
    case "MemberExpression":
      return evaluateMember(node as MemberExpression, scope);
    case "ChainExpression":
      return evaluate((node as unknown as { expression: Expression }).expression, scope);
    case "AwaitExpression":
    case "ParenthesizedExpression":
      return evaluate(
        (node as unknown as { argument?: Expression; expression?: Expression }).argument ??
          (node as unknown as { expression: Expression }).expression,
        scope,
      );
    case "CallExpression":
      return evaluateCall(node as CallExpression, scope);
    case "ArrayExpression":
    case "ObjectExpression":
    case "TemplateLiteral":
      return evaluateLiteral(node, scope);
    case "UnaryExpression":
      return evaluateUnary(node as unknown as { operator: string; argument: Expression }, scope);
    case "BinaryExpression":
      return evaluateBinary(node as unknown as { operator: string; left: Expression; right: Expression }, scope);
    default:
      return undefined;
  }
}

function evaluateLiteral(node: Any, scope: Scope): Value | undefined {
  if (node.type === "TemplateLiteral") {
    const { quasis, expressions } = node as unknown as {
      quasis: { value: { cooked?: string | null } }[];
      expressions: Expression[];
    };
    let text = quasis[0]?.value.cooked ?? "";
    for (const [index, expression] of expressions.entries()) {
      const part = toTarget(evaluate(expression, scope));
      if (!part) return undefined;
      text += `${String(part.target)}${quasis[index + 1]?.value.cooked ?? ""}`;
    }
    return { kind: "literal", value: text };
  }
  if (node.type === "ArrayExpression") {
    const { elements } = node as unknown as { elements: (Expression | null)[] };
    const items = elements.map((element) => toTarget(evaluate(element, scope)));
    return items.every((item) => item !== undefined)
      ? { kind: "literal", value: items.map(({ target }) => target) }
      : undefined;
  }
  const { properties } = node as unknown as {
    properties: { type: string; computed?: boolean; key: Expression; value: Expression }[];
  };
  const members: [string, unknown][] = [];
  for (const { type, computed, key, value } of properties) {
    const name = type === "Property" && !computed ? nameOf(key) : undefined;
    const target = toTarget(evaluate(value, scope));
    if (name === undefined || !target) return undefined;
    members.push([name, target.target]);
  }
  return { kind: "literal", value: Object.fromEntries(members) };
}

function evaluateUnary({ operator, argument }: { operator: string; argument: Expression }, scope: Scope) {
  const value = evaluate(argument, scope);
  if (!value) return undefined;
  if (operator === "typeof") return { kind: "type", of: value } as const;
  if (value.kind === "literal" && typeof value.value === "number" && operator === "-")
    return { kind: "literal", value: -value.value } as const;
  if (operator !== "!") return undefined;
  if (value.kind === "literal") return { kind: "literal", value: !value.value } as const;
  const comparison = value.kind === "comparison" ? toInverse(value.comparison) : undefined;
  return value.kind === "comparison" && comparison ? { ...value, comparison } : undefined;
}

function evaluateBinary(
  { operator, left, right }: { operator: string; left: Expression; right: Expression },
  scope: Scope,
): Value | undefined {
  const [before, after] = [evaluate(left, scope), evaluate(right, scope)];
  if (!before || !after) return undefined;
  const comparison = operators[operator];
  if (!comparison) {
    const [first, second] = [toTarget(before), toTarget(after)];
    if (operator !== "+" || !first || !second) return undefined;
    if (typeof first.target === "number" && typeof second.target === "number")
      return { kind: "literal", value: first.target + second.target };
    return { kind: "literal", value: `${String(first.target)}${String(second.target)}` };
  }
  const target = toTarget(after);
  if (target && !toTarget(before)) return { kind: "comparison", comparison, left: before, ...target };
  const other = toTarget(before);
  return other
    ? { kind: "comparison", comparison: mirrored[comparison] ?? comparison, left: after, ...other }
    : undefined;
}

/** The name of an identifier or a text. */
function nameOf(node: Any): string | undefined {
  if (node.type === "Identifier") return (node as { name: string }).name;
  const { value } = node as { value?: unknown };
  return node.type === "Literal" && (typeof value === "string" || typeof value === "number")
    ? String(value)
    : undefined;
}

function memberOf({ computed, property }: MemberExpression, scope: Scope): string | number | undefined {
  if (!computed) return nameOf(property);
  const value = evaluate(property, scope);
  return value?.kind === "literal" && (typeof value.value === "string" || typeof value.value === "number")
    ? value.value
    : undefined;
}

function evaluateMember(node: MemberExpression, scope: Scope): Value | undefined {
  const member = memberOf(node, scope);
  if (member === undefined) return undefined;
  const { object } = node;
  if (object.type === "Identifier" && !scope.has(object.name)) {
    if (/^(pm|insomnia|bru)$/.test(object.name))
      return member === "response" ? { kind: "response" } : { kind: "scope", name: String(member) };
    if (object.name === "responseCode" && member === "code") return { kind: "statusCode" };
    if (object.name === "responseHeaders") return { kind: "header", name: String(member) };
  }
  const of = evaluate(object, scope);
  if (member === "length" && (of?.kind === "json" || of?.kind === "body")) return { kind: "length", of };
  if (of?.kind === "json") return { kind: "json", path: toMember(of.path, member) };
  if (of?.kind === "headers") return { kind: "header", name: String(member) };
  if (of?.kind !== "response") return undefined;
  // The reason phrase in Postman, the code in Bruno: who reads the script says which.
  if (member === "status") return scope.get("%status") ?? { kind: "statusText" };
  return Object.hasOwn(ofResponse, member) ? ofResponse[member] : undefined;
}

function evaluateCall(node: CallExpression, scope: Scope): Value | undefined {
  const { callee, arguments: given } = node;
  const first = evaluate(given[0], scope);
  const text = first?.kind === "literal" && typeof first.value === "string" ? first.value : undefined;
  if (callee.type === "Identifier") {
    if (callee.name === "res" && text !== undefined) return { kind: "json", path: toMember("$", text) };
    return undefined;
  }
  if (callee.type !== "MemberExpression") return undefined;
  const method = memberOf(callee, scope);
  if (callee.object.type === "Identifier" && !scope.has(callee.object.name)) {
    const call = `${callee.object.name}.${method}`;
    if (call === "JSON.parse") return first?.kind === "body" ? { kind: "json", path: "$" } : first;
    if (call === "Array.isArray" && first)
      return { kind: "comparison", comparison: "hasType", left: first, target: "array" };
    if (call === "response.headers.valueOf" && text !== undefined) return { kind: "header", name: text };
    if (/^postman\.(getResponseHeader)$/.test(call) && text !== undefined) return { kind: "header", name: text };
    if (
      /^(postman\.get(Environment|Global)Variable|bru\.get(Env|Global|Collection)?Var)$/.test(call) &&
      text !== undefined
    )
      return { kind: "variable", name: toVariableName(text) };
    if (call === "responseBody.has" && given[0])
      return (
        toTarget(first) && { kind: "comparison", comparison: "contains", left: { kind: "body" }, ...toTarget(first)! }
      );
  }
  const of = evaluate(callee.object, scope);
  if (of?.kind === "scope" && variableScopes.test(of.name) && method === "get" && text !== undefined)
    return { kind: "variable", name: toVariableName(text) };
  if (of?.kind === "scope" && of.name === "cookies" && method === "get" && text !== undefined)
    return { kind: "cookie", name: text };
  if (of?.kind === "headers" && method === "get" && text !== undefined) return { kind: "header", name: text };
  if (of?.kind === "headers" && method === "has" && text !== undefined)
    return { kind: "comparison", comparison: "exists", left: { kind: "header", name: text }, target: undefined };
  if (of?.kind === "response") {
    if (method === "getHeader" && text !== undefined) return { kind: "header", name: text };
    return typeof method === "string" && Object.hasOwn(responseCalls, method) ? responseCalls[method] : undefined;
  }
  if (method === "toString" && of?.kind === "json") return of;
  const target = toTarget(first);
  if (target && (of?.kind === "json" || of?.kind === "body" || of?.kind === "header")) {
    if (method === "includes" || method === "indexOf")
      return method === "includes" ? { kind: "comparison", comparison: "contains", left: of, ...target } : undefined;
    if (method === "startsWith" || method === "endsWith")
      return { kind: "comparison", comparison: method, left: of, ...target };
    if (method === "hasOwnProperty" && of.kind === "json" && text !== undefined)
      return {
        kind: "comparison",
        comparison: "exists",
        left: { kind: "json", path: toMember(of.path, text) },
        target: undefined,
      };
  }
  return undefined;
}
