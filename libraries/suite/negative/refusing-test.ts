import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import type { CheckName } from "#contracts/test-registry/assertions.ts";
import type { Pair, TestRequest } from "#contracts/test-registry/requests.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import { listPlaceholders, nothingPlaceholder, rowNameColumn } from "#libraries/template/placeholders.ts";
import { toVariable, toWords } from "../names.ts";
import type { PlannedCall } from "../plan/calls.ts";
import { toText } from "./broken-body.ts";
import type { BrokenRule } from "./broken-rule.ts";
import { documentsRefusals } from "./broken-rules.ts";
import { inlineGenerated } from "./sent-body.ts";

/** What a refusing test has in place of its valid call's. */
export type RefusingParts = Pick<TestInput, "name" | "request" | "assertions" | "checks" | "captures"> & {
  data: NonNullable<Test["data"]>;
};

/**
 * One test with a row for each broken rule: the rows' values are valid but for what the row is named after.
 * @returns undefined without rules
 */
export function makeRefusingTest(
  described: OperationWithComponents,
  call: PlannedCall,
  rules: readonly BrokenRule[],
): RefusingParts | undefined {
  const { operation } = described;
  const request = structuredClone(call.test.request) as TestRequest;
  const taken = new Set([...listPlaceholders(JSON.stringify(call.test)), rowNameColumn]);
  const columns = new Map<string, Column>();
  const kept = rules.filter((rule) => {
    const key = columnKey(rule);
    const column = columns.get(key) ?? addColumn(rule);
    if (column) columns.set(key, column);
    return column !== undefined;
  });
  if (kept.length === 0) return undefined;
  const data = kept.map((rule) => {
    const row: Record<string, string> = { [rowNameColumn]: rule.name };
    for (const [key, { name, valid }] of columns) {
      row[name] = key === columnKey(rule) ? (rule.text ?? nothingPlaceholder) : valid;
    }
    return row;
  });
  const name = toDisplayName(`${operation.method.toUpperCase()} ${operation.path} refuses invalid requests`, 300);
  return { name, request, assertions: [], checks: checkRefusal(described), captures: [], data };

  /** Replaces the value in the request by a variable. */
  function addColumn({ in: place, parameter }: BrokenRule): Column | undefined {
    switch (place) {
      case "body": {
        if (request.body.kind !== "json") return undefined;
        const column = { name: nameColumn("body"), valid: toText(inlineGenerated(call.sent, call.generated)) };
        request.body = { ...request.body, text: `{{${column.name}}}` };
        return column;
      }
      case "mediaType": {
        if (request.body.kind !== "json") return undefined;
        const column = { name: nameColumn("contentType"), valid: request.body.mediaType ?? "application/json" };
        request.body = { ...request.body, mediaType: `{{${column.name}}}` };
        return column;
      }
      case "field":
        if (request.body.kind === "form") {
          return replacePair(request.body.fields, parameter, parameter, nothingPlaceholder);
        }
        if (request.body.kind !== "multipart") return undefined;
        return replacePair(request.body.parts, parameter, parameter, nothingPlaceholder);
      case "accept":
        return replacePair(request.headers, "Accept", "accept", "*/*");
      case "path":
        return replacePair(request.pathParameters, parameter, parameter, undefined);
      case "query":
        return replacePair(request.query, parameter, parameter, nothingPlaceholder);
      case "header":
        return replacePair(request.headers, parameter, parameter, nothingPlaceholder);
      case "cookie":
        return replacePair(request.cookies, parameter, parameter, nothingPlaceholder);
    }
  }

  /** @param absent its value where a valid request does not send it; undefined for one that is always sent */
  function replacePair(pairs: Pair[], name: string, column: string, absent: string | undefined): Column | undefined {
    const own = pairs.filter((pair) => pair.name.toLowerCase() === name.toLowerCase());
    const [pair] = own;
    if (!pair && absent === undefined) return undefined;
    const valid = pair?.enabled ? toOneValue(own) : absent;
    if (valid === undefined) return undefined;
    const chosen = nameColumn(column);
    const changed = { value: `{{${chosen}}}`, enabled: true };
    if (pair) {
      Object.assign(pair, changed);
      for (const other of own.slice(1)) pairs.splice(pairs.indexOf(other), 1);
    } else pairs.push({ name, ...changed });
    return { name: chosen, valid };
  }

  function nameColumn(proposed: string): string {
    const plain = toVariable(toWords(proposed));
    const name = [plain, `${plain}Sent`, `${plain}InRow`].find((one) => !taken.has(one)) ?? `${plain}${taken.size}`;
    taken.add(name);
    return name;
  }
}

/** The items of a list, each of which has a row of its own, as one. */
function toOneValue(own: readonly Pair[]): string {
  return own.length === 1 ? own[0]!.value : JSON.stringify(own.map(({ value }) => value));
}

interface Column {
  name: string;
  /** As the valid call sends it. */
  valid: string;
}

const columnKey = ({ in: place, parameter }: BrokenRule) => `${place} ${parameter}`;

/** Refused at all; where the document says how, as it says. */
export function checkRefusal({ operation }: OperationWithComponents): CheckName[] {
  const refusals = operation.responses.filter(({ status }) => /^4/.test(status) || status === "default");
  const hasBody = refusals.some(({ content }) => content.some(({ schema }) => schema !== undefined));
  return [
    "negative_data_rejection",
    ...(documentsRefusals(operation) ? (["status_code_conformance"] as const) : []),
    ...(hasBody ? (["response_schema_conformance"] as const) : []),
  ];
}
