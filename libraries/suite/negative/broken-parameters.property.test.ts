import { setImmediate } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OperationParameter } from "#contracts/api-registry/operations.ts";
import { writeHeaderParameter, writePathParameter, writeQueryParameter } from "#libraries/openapi/parameter-style.ts";
import { readParameterText } from "#libraries/openapi/parameter-value.ts";
import { makeSample } from "#libraries/openapi/sample/sampler.ts";
import { readSentQuery, readSentText, splitQuery } from "#libraries/openapi/sent-parameter.ts";
import { repetitions } from "../../../tests/support/endurance.ts";
import { operation } from "../testing/operations.ts";
import { listBrokenParameters } from "./broken-parameters.ts";
import { listBrokenPlaces } from "./testing/broken-places.ts";

const optional = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] });
const small = fc.integer({ min: 0, max: 4 });
const bounds = fc.integer({ min: -20, max: 20 });
const scalar = fc.oneof(
  optional({
    ...{ minLength: small, maxLength: fc.integer({ min: 4, max: 40 }) },
    ...{ pattern: fc.constantFrom("^[a-z]{2,4}$", "^\\d+$", "x"), format: fc.constantFrom("uuid", "date", "email") },
  }).map((keywords) => ({ type: "string", ...keywords })),
  optional({ minimum: bounds, maximum: bounds, multipleOf: fc.constantFrom(1, 2, 5) }).map((keywords) => ({
    ...{ type: "integer", ...keywords },
  })),
  fc.constantFrom({ type: "boolean" }, { type: "number", minimum: 0 }, { const: "a" }, { type: "string", const: "a" }),
  fc.constantFrom({ type: "string", enum: ["open", "closed"] }, { type: "integer", enum: [1, 2] }, { type: "string" }),
);
const list = fc
  .tuple(scalar, optional({ minItems: small, maxItems: small, uniqueItems: fc.boolean() }))
  .map(([items, keywords]) => ({ type: "array", items, ...keywords }));
const names = fc.constantFrom("title", "pages", "state");
const object = fc
  .tuple(
    fc.dictionary(names, fc.oneof({ weight: 9, arbitrary: scalar }, list), { minKeys: 1 }),
    fc.uniqueArray(names),
    fc.boolean(),
  )
  .map(([properties, required, isClosed]) => ({
    ...{ type: "object", properties, required: required.filter((name) => Object.hasOwn(properties, name)) },
    ...(isClosed ? { additionalProperties: false } : {}),
  }));

const anyParameter = fc
  .record({
    style: fc.constantFrom(
      ...([
        ...["path simple", "path label", "path matrix", "query deepObject", "query form", "query pipeDelimited"],
        ...["query spaceDelimited", "header simple"],
      ] as const),
    ),
    explode: fc.boolean(),
    required: fc.boolean(),
    schema: fc.oneof(scalar, list, object),
  })
  .map(({ style, explode, required, schema }): OperationParameter => {
    const [place, name] = style.split(" ") as ["query", "form"];
    return {
      ...{ name: "filter", in: place, style: name, explode, required, schema, examples: [], description: "" },
      ...{ deprecated: false, allowReserved: false },
    };
  });

/** What a server reads of a test's text. */
function receive(parameter: OperationParameter, text: string): unknown {
  const value = readParameterText(text, parameter, {});
  const schema = parameter.schema as Record<string, never>;
  const shape = schema.type === "array" || schema.type === "object" ? schema.type : "primitive";
  const sent =
    parameter.in === "query"
      ? readSentQuery(parameter, splitQuery(writeQueryParameter("filter", value, parameter).join("&")), shape)
      : readSentText(
          parameter,
          parameter.in === "path"
            ? writePathParameter("filter", value, parameter)
            : writeHeaderParameter(value, parameter),
          shape,
        );
  if (sent === undefined || sent === "absent") return sent;
  if (sent.shape === "primitive") return toScalar(sent.text, schema);
  if (sent.shape === "array") return sent.items.map((item) => toScalar(item, schema.items));
  const members = [...sent.members].map(([name, item]) => [name, toScalar(item, schema.properties![name])]);
  return Object.fromEntries(members);
}

function toScalar(text: string, schema: { type?: string; enum?: unknown[] } = {}): unknown {
  if (schema.type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return /integer|number/.test(schema.type ?? "") && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

test("each row of a parameter breaks exactly one rule of what its style reads back, says an independent validator", async () => {
  const seen = new Map<string, Set<string>>();
  await fc.assert(
    fc.asyncProperty(anyParameter, async (parameter) => {
      await setImmediate();
      const made = makeSample(parameter.schema, "request", { find: () => undefined });
      if (!made || made.invented.some(({ isMissing }) => isMissing)) return;
      const ajv = addFormats.default(
        new Ajv2020({ strict: false, allErrors: true, logger: false, unicodeRegExp: false }),
      );
      const validate = ajv.compile(parameter.schema as object);
      const described = operation("GET /books", { parameters: [parameter] });
      const surroundings = { apiId: "api", specificationVersion: "3.1" as const, components: {}, securitySchemes: [] };
      for (const rule of listBrokenParameters({ ...surroundings, operation: described })) {
        if (rule.text === undefined) continue;
        const value = receive(parameter, rule.text);
        const places = listBrokenPlaces(validate, value);
        expect(places, `${rule.name}: ${rule.text}`).toHaveLength(1);
        const kind = `${parameter.style} ${(parameter.schema as { type?: string }).type ?? ""}`;
        seen.set(kind, (seen.get(kind) ?? new Set()).add(places[0]!.split(" ").at(-1)!));
      }
    }),
    { numRuns: repetitions(600, 20_000) },
  );
  const ofObject = ["type", "required", "enum", "minimum", "additionalProperties"];
  for (const style of ["deepObject", "label", "matrix"]) {
    expect([...(seen.get(`${style} object`) ?? [])], style).toEqual(expect.arrayContaining(ofObject));
  }
  const ofList = ["type", "enum", "maxItems", "uniqueItems"];
  for (const style of ["label", "matrix", "form", "pipeDelimited"]) {
    expect([...(seen.get(`${style} array`) ?? [])], style).toEqual(expect.arrayContaining(ofList));
  }
});
