import { reasons } from "../reasons.ts";
import { evaluate, type Scope } from "./evaluate.ts";
import { assertion, type Expectation, fillers, later, negate, type Word } from "./expectation-words.ts";
import { toPath, toTarget } from "./value.ts";
import { readStatusText } from "./value-expectations.ts";

/** Ranges of status codes by their words. */
const statusWords: Record<string, unknown> = {
  info: [100, 199],
  ok: [200, 299],
  success: [200, 299],
  redirection: [300, 399],
  clientError: [400, 499],
  serverError: [500, 599],
  error: [400, 599],
  accepted: 202,
  badRequest: 400,
  unauthorized: 401,
  unauthorised: 401,
  forbidden: 403,
  notFound: 404,
  rateLimited: 429,
};

/** The assertions of `pm.response.to…`. */
export function readResponse(words: Word[], scope: Scope): Expectation {
  const isNegated = words.some(({ name }) => name === "not");
  const named = words.filter(({ name }) => !fillers.has(name) && name !== "not");
  const found = named.map((word) => readResponseWord(word, scope));
  const assertions = found.flatMap((one) => ("assertions" in one ? one.assertions : []));
  const lost = found.find((one) => one.lost !== undefined)?.lost;
  if (assertions.length === 0) return { lost: lost ?? reasons.noAssertion };
  return negate(lost === undefined ? { assertions } : { assertions, lost }, isNegated);
}

function readResponseWord({ name, given }: Word, scope: Scope): Expectation {
  const [first, second] = (given ?? []).map((argument) => toTarget(evaluate(argument, scope)));
  if (name === "json") return { assertions: [assertion("header", "Content-Type", "contains", "json")] };
  if (name === "withBody") return { assertions: [assertion("body", undefined, "isNotEmpty")] };
  if (Object.hasOwn(statusWords, name)) {
    const target = statusWords[name];
    return { assertions: [assertion("statusCode", undefined, Array.isArray(target) ? "between" : "equals", target)] };
  }
  if (given && given.length > 0 && !first) return { lost: later };
  switch (name) {
    case "status":
      if (typeof first?.target === "string" && !first.target.startsWith("{{"))
        return readStatusText({ kind: "literal", value: first.target });
      return { assertions: [assertion("statusCode", undefined, "equals", first?.target)] };
    case "header":
      if (!first) return { lost: reasons.noAssertion };
      return {
        assertions: [
          second
            ? assertion("header", String(first.target), "equals", String(second.target))
            : assertion("header", String(first.target), "exists"),
        ],
      };
    case "body":
      return {
        assertions: [
          first ? assertion("body", undefined, "equals", first.target) : assertion("body", undefined, "isNotEmpty"),
        ],
      };
    case "jsonBody": {
      if (!first) return { assertions: [assertion("header", "Content-Type", "contains", "json")] };
      const path = typeof first.target === "string" ? toPath(first.target) : "$";
      if (typeof first.target !== "string") return { assertions: [assertion("jsonPath", "$", "equals", first.target)] };
      return {
        assertions: [
          second ? assertion("jsonPath", path, "equals", second.target) : assertion("jsonPath", path, "exists"),
        ],
      };
    }
    default:
      return { lost: reasons.noAssertion };
  }
}
