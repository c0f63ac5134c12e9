import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { preferredContent } from "#libraries/openapi/sample-body.ts";
import type { BrokenRule } from "#libraries/suite/negative/broken-rule.ts";
import { listBrokenRules, maxRules } from "#libraries/suite/negative/broken-rules.ts";
import { listBrokenPlaces, readSent } from "#libraries/suite/negative/testing/broken-places.ts";
import { makeCall } from "#libraries/suite/suggestion/valid-call.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { compileDocumented } from "../testing/document-validator.ts";
import { fixturesIn } from "../testing/fixtures.ts";
import { readDocument } from "../testing/reading.ts";

/** A parameter's text, as a server reads it that follows the document. */
function readText(text: string, types: readonly unknown[]): unknown {
  if (types.some((type) => type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function typesOf(schema: unknown, components: OperationWithComponents["components"]): unknown[] {
  const { $ref, type, anyOf, allOf, oneOf } = (schema ?? {}) as Record<string, unknown>;
  const parts = [anyOf, allOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const referred = typeof $ref === "string" ? [components[$ref]] : [];
  return [type, ...[...parts, ...referred].map((part) => typesOf(part, components))].flat();
}

const judged = new Set(["body", "path", "query", "header", "cookie"]);

for (const fixture of fixturesIn("valid")) {
  test(`each row of ${fixture.name} breaks exactly one rule, says a validator that shares no code`, async () => {
    const { operations, components, dependencySets, inspection } = await readDocument(fixture);
    const isModern = inspection.specificationVersion === "3.1";
    const step = Math.ceil(operations.length / repetitions(8, 60));
    const wrong: string[] = [];
    for (const row of operations.filter((_, index) => index % step === 0)) {
      await setImmediate();
      const operation = JSON.parse(row.described) as OperationWithComponents["operation"];
      const reached = Object.fromEntries(
        dependencySets[row.dependencySet]!.ordinals.map((ordinal) => [
          components[ordinal]!.reference,
          JSON.parse(components[ordinal]!.body),
        ]),
      );
      const described = {
        ...{ apiId: "api", specificationVersion: inspection.specificationVersion!, operation, components: reached },
        securitySchemes: [],
      };
      const call = { ...makeCall(described), generated: new Map<string, string>() };
      const rules = listBrokenRules(described, call);
      expect(rules.length).toBeLessThanOrEqual(maxRules);
      expect(new Set(rules.map(({ name }) => name)).size, JSON.stringify(rules.map(({ name }) => name))).toBe(
        rules.length,
      );
      const ofParameters = new Map<string, ReturnType<typeof compileDocumented>>();
      const content = operation.requestBody && preferredContent(operation.requestBody.content);
      const options = { isModern, hidden: "readOnly", allErrors: true };
      const ofBody = content?.schema === undefined ? undefined : compileDocumented(content.schema, reached, options);
      for (const rule of rules.filter((one) => judged.has(one.in) && one.text && one.keyword !== "syntax")) {
        const found = count(rule);
        if (found !== 1) wrong.push(`${row.method} ${row.path}: ${rule.name} (${rule.text!.slice(0, 200)}): ${found}`);
      }

      /** Broken places, of the stand-ins for captured values that fit best. */
      function count({ in: place, parameter, text = "" }: BrokenRule): number {
        if (place === "body") {
          return Math.min(...[...readSent(text)].map((value) => listBrokenPlaces(ofBody!, value).length || 99));
        }
        const documented = operation.parameters.find((one) => one.in === place && one.name === parameter)!;
        const types = typesOf(documented.schema, reached);
        const items = (documented.schema as { items?: unknown }).items;
        const isJson = /^[[{]/.test(text) && types.some((type) => type === "array" || type === "object");
        const single = types.includes("array") ? [readText(text, typesOf(items, reached))] : readText(text, types);
        const value = isJson ? JSON.parse(text) : single;
        const key = `${place} ${parameter}`;
        const validate = ofParameters.get(key) ?? compileDocumented(documented.schema, reached, options);
        ofParameters.set(key, validate);
        return listBrokenPlaces(validate, value).length;
      }
    }
    expect(wrong).toEqual([]);
  });
}
