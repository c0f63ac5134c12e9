import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { getMember, isRecord, type JsonRecord, toList, toRecord } from "#libraries/json/json-value.ts";
import { contracts } from "../server/contracts.ts";
import { describeService } from "../services/kit/service/description.ts";

const documents = Object.entries(contracts).map(([name, contract]) => ({
  name,
  document: describeService({ name, description: "Described.", version: "1.0.0", contract }),
}));

interface PublicOperation {
  location: string;
  operation: JsonRecord;
}

function getOperations(document: JsonRecord): PublicOperation[] {
  return Object.entries(toRecord(document.paths)).flatMap(([path, item]) =>
    Object.entries(toRecord(item)).map(([method, operation]) => ({
      location: `${method} ${path}`,
      operation: toRecord(operation),
    })),
  );
}

function follow(document: JsonRecord, value: unknown): JsonRecord {
  const reference = getMember(value, "$ref");
  if (typeof reference !== "string") return toRecord(value);
  return toRecord(reference.slice(2).split("/").reduce<unknown>(getMember, document));
}

/** Warnings of the public linter that are accepted. */
const accepted = [
  // There is no licence to name.
  /^info-license: /,
  // Public operations without parameters are never refused.
  /^operation-4xx-response: .*(actuator|jwks\.json|human-check|portal-services|services-pricing|alert-webhooks)/,
  // Ids are UUIDs, so that no request matches both paths.
  /^no-ambiguous-paths: .*users~1\{userId\}~1(roles|sessions|second-factor|passkeys)/,
];

test.each(documents)("$name: a public linter finds nothing in the description", async ({ name, document }) => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: `/${name}.json`, config });
  const findings = found.map(({ ruleId, message, location }) => `${ruleId}: ${location[0]?.pointer} ${message}`);
  expect(findings.filter((line) => !accepted.some((pattern) => pattern.test(line)))).toEqual([]);
});

test.each(documents)("$name: every operation has a name, a description and a tag", ({ document }) => {
  const operations = getOperations(document);
  const silent = operations.filter(
    ({ operation: { operationId, summary, description, tags } }) =>
      !operationId || !summary || !description || toList(tags).length !== 1,
  );
  expect(silent.map(({ location: place }) => place)).toEqual([]);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(documents)("$name: every parameter has a description, and every required one an example", ({ document }) => {
  const silent = getOperations(document).flatMap(({ location: place, operation }) =>
    toList(operation.parameters)
      .map((parameter) => follow(document, parameter))
      .filter(({ description, required, example }) => !description || (required && example === undefined))
      .map(({ name }) => `${place} ${name}`),
  );
  expect(silent).toEqual([]);
});

test.each(documents)("$name: every body has an example that its own schema allows", ({ document }) => {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  // One validator for the schemas that many operations share: compiling is most of the work.
  const validators = new Map<string, ValidateFunction>();
  const getValidator = (schema: unknown) => {
    const written = JSON.stringify(schema);
    const known = validators.get(written);
    if (known) return known;
    const made = ajv.compile(JSON.parse(written, (key, value) => (key === "$ref" ? `document${value}` : value)));
    validators.set(written, made);
    return made;
  };
  const wrong: string[] = [];
  const judge = (place: string, schema: unknown, example: unknown) => {
    if (example === undefined) return void wrong.push(`${place} has no example`);
    const validate = getValidator(schema);
    if (!validate(example)) wrong.push(`${place} ${ajv.errorsText(validate.errors)}`);
  };
  for (const { location: place, operation } of getOperations(document)) {
    const contents = [operation.requestBody, ...Object.values(toRecord(operation.responses))].flatMap((part) =>
      Object.entries(toRecord(follow(document, part).content)),
    );
    for (const [type, media] of contents) {
      if (isRecord(media)) judge(`${place} ${type}`, media.schema, media.example);
    }
    for (const parameter of toList(operation.parameters).map((one) => follow(document, one))) {
      if (parameter.example !== undefined) judge(`${place} ${parameter.name}`, parameter.schema, parameter.example);
    }
  }
  expect(wrong).toEqual([]);
});
