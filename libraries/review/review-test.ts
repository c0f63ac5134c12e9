import type { DescribedOperation, MediaTypeContent } from "#contracts/api-registry/operations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Capture, Test } from "#contracts/test-registry/tests.ts";
import { ExactNumber } from "../json/exact-number.ts";
import type { Json } from "../json/json.ts";
import { getMember } from "../json/json-value.ts";
import { writeJson } from "../json/write-json.ts";
import { findDocumentedContent, findDocumentedResponse } from "../judging/documented-response.ts";
import { isJson, parseMediaType } from "../judging/media-type.ts";
import { shorten } from "../openapi/comparison/changes.ts";
import { ValueChecker } from "../openapi/sample/value-checker.ts";
import type { OperationVersion } from "./operation-version.ts";
import { reviewRequest } from "./review-request.ts";
import { describePath, readSteps } from "./schema-path.ts";

export type ReviewedTest = Pick<Test, "request" | "assertions" | "captures">;

/** What breaks of a test: an assertion or capture by its position from 1, or its request. */
export interface TestEffect {
  part: "assertion" | "capture" | "request";
  position?: number;
  sentence: string;
}

/** @param after undefined if the operation is gone */
export function reviewTest(
  test: ReviewedTest,
  before: OperationVersion,
  after: OperationVersion | undefined,
): TestEffect[] {
  if (!after) return [{ part: "request", sentence: "It calls an operation that was removed." }];
  const effects: TestEffect[] = reviewRequest(test.request, before, after).map((sentence) => ({
    part: "request",
    sentence: shorten(sentence),
  }));
  const statuses = listStatuses(test.assertions, before.operation);
  const review = new ResponseReview(statuses, before, after);
  for (const [index, assertion] of test.assertions.entries()) {
    const sentence = review.reviewAssertion(assertion);
    if (sentence) effects.push({ part: "assertion", position: index + 1, sentence: shorten(sentence) });
  }
  for (const [index, capture] of test.captures.entries()) {
    const sentence = review.reviewCapture(capture);
    if (sentence) effects.push({ part: "capture", position: index + 1, sentence: shorten(sentence) });
  }
  return effects;
}

/** Those that the test expects, else the first documented success. */
function listStatuses(assertions: readonly Assertion[], { responses }: DescribedOperation): number[] {
  const expected = assertions
    .filter(({ source, comparison }) => source === "statusCode" && (comparison === "equals" || comparison === "oneOf"))
    .flatMap(({ target }) => [target].flat())
    .map(Number)
    .filter((status) => Number.isInteger(status) && status >= 100 && status < 600);
  if (expected.length > 0) return expected;
  const success = responses.find(({ status }) => /^2\d\d$/.test(status));
  return success ? [Number(success.status)] : [200];
}

/** Comparisons that hold where nothing is found. */
const holdsWithout = new Set(["notExists", "notEquals", "notContains", "noneOf", "notMatches"]);

class ResponseReview {
  constructor(
    private readonly statuses: readonly number[],
    private readonly before: OperationVersion,
    private readonly after: OperationVersion,
  ) {}

  reviewAssertion(assertion: Assertion): string | undefined {
    const { source, property = "", comparison } = assertion;
    if (source === "statusCode") return this.#reviewStatus(assertion);
    if (holdsWithout.has(comparison)) return undefined;
    if (source === "header") return this.#reviewHeader(property);
    if (source !== "jsonPath") return undefined;
    return this.#reviewPath(property) ?? this.#reviewTarget(property, assertion);
  }

  reviewCapture({ name, source, property = "" }: Capture): string | undefined {
    const lost =
      source === "header"
        ? this.#reviewHeader(property)
        : source === "jsonPath"
          ? this.#reviewPath(property)
          : undefined;
    return lost && `{{${name}}} may get no value: ${lost[0]!.toLowerCase()}${lost.slice(1)}`;
  }

  #reviewStatus({ comparison, target }: Assertion): string | undefined {
    if (comparison !== "equals" && comparison !== "oneOf") return undefined;
    const isDocumented = ({ operation }: OperationVersion) =>
      this.statuses.some((status) => findDocumentedResponse(operation.responses, status) !== undefined);
    if (!isDocumented(this.before) || isDocumented(this.after)) return undefined;
    return `The status ${[target].flat().join(" or ")} is no longer documented.`;
  }

  #reviewHeader(name: string): string | undefined {
    const has = ({ operation }: OperationVersion) =>
      this.statuses.some((status) =>
        findDocumentedResponse(operation.responses, status)?.headers.some(
          (header) => header.name.toLowerCase() === name.toLowerCase(),
        ),
      );
    if (!has(this.before) || has(this.after)) return undefined;
    return `The response no longer documents the header ${name}.`;
  }

  #reviewPath(path: string): string | undefined {
    const steps = readSteps(path);
    if (!steps) return undefined;
    const [old, now] = [this.before, this.after].map((version) => this.#describe(version, steps));
    if (!old) return undefined;
    if (!now) return `The response no longer describes ${path}.`;
    if (old.isRequired && !now.isRequired) return `${path} may be missing from the response.`;
    return undefined;
  }

  /** A value that the response allowed, and no longer does. */
  #reviewTarget(path: string, { comparison, target }: Assertion): string | undefined {
    if (!["equals", "oneOf", "contains"].includes(comparison) || target === undefined || isVariable(target)) {
      return undefined;
    }
    const steps = readSteps(path);
    if (!steps) return undefined;
    const targets = comparison === "oneOf" ? [target].flat() : [target];
    const allows = (version: OperationVersion) => {
      const described = this.#describe(version, steps);
      if (!described) return true;
      const checker = new ValueChecker("response", version.source);
      return targets.some((value) => described.schemas.some((schema) => checker.isValid(value, schema)));
    };
    if (comparison === "contains" || !allows(this.before) || allows(this.after)) return undefined;
    return `${path} can no longer be ${targets.map((value) => writeJson(value as Json)).join(" or ")}.`;
  }

  #describe({ operation, source }: OperationVersion, steps: NonNullable<ReturnType<typeof readSteps>>) {
    for (const status of this.statuses) {
      const content = findJson(findDocumentedResponse(operation.responses, status)?.content ?? []);
      const found = content?.schema === undefined ? undefined : describePath(content.schema, steps, source);
      if (found) return found;
    }
    return undefined;
  }
}

function findJson(content: MediaTypeContent[]): MediaTypeContent | undefined {
  const isOne = ({ mediaType }: MediaTypeContent) => {
    const parsed = parseMediaType(mediaType);
    return parsed !== undefined && isJson(parsed);
  };
  return content.find(isOne) ?? findDocumentedContent(content, parseMediaType("application/json")!);
}

function isVariable(value: unknown): boolean {
  if (typeof value === "string") return value.includes("{{");
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return false;
  return Object.keys(value).some((key) => isVariable(getMember(value, key) ?? (value as unknown[])[Number(key)]));
}
