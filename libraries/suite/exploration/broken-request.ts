import type { Pair, RequestBody } from "#contracts/test-registry/requests.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { nothingPlaceholder } from "#libraries/template/placeholders.ts";
import type { BrokenRule } from "../negative/broken-rule.ts";

const fields = { path: "pathParameters", query: "query", header: "headers", cookie: "cookies" } as const;

/** The valid call with one rule broken; undefined where it has no place for it. */
export function breakRule(test: TestInput, rule: BrokenRule): TestInput | undefined {
  const { request } = test;
  const asked: Pick<TestInput, "assertions" | "checks"> = { assertions: [], checks: ["negative_data_rejection"] };
  switch (rule.in) {
    case "body":
      if (request.body.kind !== "json") return undefined;
      return { ...test, ...asked, request: { ...request, body: { ...request.body, text: rule.text ?? "" } } };
    case "field": {
      const { body } = request;
      const rows = body.kind === "form" ? body.fields : body.kind === "multipart" ? body.parts : [];
      const own = rows.find(({ name }) => name === rule.parameter);
      if (!own) return undefined;
      const value = rule.text ?? nothingPlaceholder;
      const changed = rows.map((row) => (row === own ? { ...row, value, enabled: true } : row));
      const fields = body.kind === "form" ? { fields: changed } : { parts: changed };
      return { ...test, ...asked, request: { ...request, body: { ...body, ...fields } as RequestBody } };
    }
    case "mediaType":
      if (request.body.kind !== "json") return undefined;
      return { ...test, ...asked, request: { ...request, body: { ...request.body, mediaType: rule.text } } };
    case "accept":
      return { ...test, ...asked, request: { ...request, headers: replace(request.headers, "Accept", rule.text) } };
    default: {
      const field = fields[rule.in];
      const pairs = replace(request[field], rule.parameter, rule.text);
      return { ...test, ...asked, request: { ...request, [field]: pairs } };
    }
  }
}

function replace(pairs: readonly Pair[], name: string, value: string | undefined): Pair[] {
  const others = pairs.filter((pair) => pair.name.toLowerCase() !== name.toLowerCase());
  return value === undefined ? others : [...others, { name, value, enabled: true }];
}
