import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { parseMediaType } from "#libraries/judging/media-type.ts";
import { preferredContent } from "#libraries/openapi/sample-body.ts";
import type { PlannedCall } from "../plan/calls.ts";
import { listBrokenBodies } from "./broken-body.ts";
import { listBrokenFields } from "./broken-fields.ts";
import { listBrokenParameters } from "./broken-parameters.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { inlineGenerated } from "./sent-body.ts";

/** Rows of one operation. */
export const maxRules = 40;
/** Rows of a creation: each has a row that removes what it may have made. */
export const maxCreations = 20;
/** Characters of all bodies of an operation's rows. */
const maxCharacters = 40_000;

/**
 * What a request of this operation can break of its document, one rule each, the most valuable first: what is missing,
 * types, enumerations, bounds, formats, lengths, patterns, members that are not documented.
 */
export function listBrokenRules(described: OperationWithComponents, call: PlannedCall): BrokenRule[] {
  const found = [...listBrokenParameters(described), ...listBodies(described, call), ...listNotAcceptable(described)];
  const sorted = found.sort((one, other) => one.rank - other.rank).slice(0, maxRules);
  let left = maxCharacters;
  return sorted.filter(({ text = "" }) => {
    left -= text.length;
    return left >= 0;
  });
}

const rule = { parameter: "", path: [] } as const;

function listBodies(described: OperationWithComponents, { test, sent, generated }: PlannedCall): BrokenRule[] {
  const { operation, components } = described;
  const { requestBody } = operation;
  const content = requestBody && preferredContent(requestBody.content);
  if (!requestBody || !content) return [];
  const source = { find: (reference: string) => components[reference] };
  if (content.schema !== undefined && /^(form|multipart)$/.test(test.request.body.kind)) {
    return listBrokenFields(content.schema, test.request.body, source);
  }
  if (test.request.body.kind !== "json" || sent === undefined) return [];
  const own = inlineGenerated(sent, generated);
  const rules = content.schema === undefined ? [] : listBrokenBodies(content.schema, own, source);
  const whole = { ...rule, in: "body" as const };
  if (requestBody.required)
    rules.push({ ...whole, name: "the body is empty", keyword: "required", text: "", rank: 0.5 });
  rules.push({ ...whole, name: "the body is no JSON", keyword: "syntax", text: '{"', rank: 1.5 });
  if (!requestBody.content.some(({ mediaType }) => takesText(mediaType)) && mayExpect(described, 415)) {
    rules.push({
      ...rule,
      in: "mediaType",
      name: "unsupported media type",
      keyword: "mediaType",
      text: "text/plain",
      rank: 2.5,
    });
  }
  return rules;
}

/** Browsers send it from any site without asking, so that what takes JSON by this name can be forged. */
const takesText = (mediaType: string) => {
  const parsed = parseMediaType(mediaType);
  return parsed === undefined || mediaType.includes("*") || (parsed.type === "text" && parsed.subtype === "plain");
};

function listNotAcceptable(described: OperationWithComponents): BrokenRule[] {
  const { responses } = described.operation;
  if (!responses.some(({ status }) => status === "406")) return [];
  const text = "application/x-not-served";
  return [{ ...rule, in: "accept", name: "not acceptable", keyword: "accept", text, rank: 2.5 }];
}

/** Whether a refusal with this status agrees with what the document says of refusals. */
export function mayExpect({ operation }: OperationWithComponents, status: number): boolean {
  const named = operation.responses.map((one) => one.status.toLowerCase());
  return !documentsRefusals(operation) || [String(status), "4xx", "default"].some((one) => named.includes(one));
}

/** Whether the document says how invalid requests are refused. */
export function documentsRefusals({ responses }: OperationWithComponents["operation"]): boolean {
  return responses.some(({ status }) => /^(400|422)$/.test(status));
}
