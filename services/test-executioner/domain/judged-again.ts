import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { SentRequest } from "#contracts/test-executioner/attempts.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { redacted } from "#libraries/redaction/redactor.ts";
import type { SentValue } from "#libraries/suite/notices/json-body.ts";
import { placeholderPattern } from "#libraries/template/placeholders.ts";

const usesVariables = (value: unknown) => JSON.stringify(value).includes("{{");

/** What stored verifications have in place of a part that is too long to be stored. */
const shortened = "…";

/**
 * An assertion as it was judged in an execution, its variables filled from the stored verification; undefined where
 * that has not all of it, or the executed version of the test had no such assertion.
 */
export function fillFromVerification(
  assertion: Assertion,
  executed: Pick<Test, "assertions">,
  verifications: readonly Verification[],
): Assertion | undefined {
  if (!usesVariables(assertion)) return assertion;
  const index = executed.assertions.findIndex((one) => JSON.stringify(one) === JSON.stringify(assertion));
  const judged = verifications[index];
  if (judged?.outcome !== "passed" || judged.source !== assertion.source) return undefined;
  const { targetJson: _, variableType: __, ...rest } = assertion;
  const { property, target, targetJson } = judged;
  const text = JSON.stringify([property, target]);
  if (text.includes(shortened) || text.includes(redacted)) return undefined;
  return {
    ...rest,
    ...(property === undefined ? {} : { property }),
    ...(target === undefined ? {} : { target }),
    ...(targetJson === undefined ? {} : { targetJson }),
  };
}

/** The definition to judge by: the current one while it sends the same request as the executed one. */
export function chooseDefinition(executed: Test, current: Test | undefined): Test {
  if (!current || current.method !== executed.method || current.path !== executed.path) return executed;
  const sends = ({ request, data }: Test) => JSON.stringify([request, data ?? null]);
  return sends(current) === sends(executed) ? current : executed;
}

const isParameter = (segment: string) => /^\{[^{}]+\}$/.test(segment);

/** The path parameters of a sent request, each as the test has it: `7`, or the variable `{{bookId}}`. */
export function listSentValues({ path, request }: Pick<Test, "path" | "request">, sent: SentRequest): SentValue[] {
  const template = path.split("/").filter(Boolean);
  const segments = toPath(sent.url).split("/").filter(Boolean).slice(-template.length);
  return template.flatMap((segment, index) => {
    const text = decode(segments[index] ?? "");
    if (!isParameter(segment) || text === "" || text.includes(redacted)) return [];
    const { value } = request.pathParameters.find(({ name }) => `{${name}}` === segment) ?? { value: text };
    const rest = value.replace(placeholderPattern(), "");
    const isVariable = rest === "" && !value.includes("$") && [...value.matchAll(placeholderPattern())].length === 1;
    if (usesVariables(value) && !isVariable) return [];
    return [{ text, target: value }];
  });
}

function toPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
