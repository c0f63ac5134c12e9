import { z } from "zod";
import { answerOrNone, requireAnswer } from "../assistant.ts";
import { count, cursor, defineTool, givenId, id, limit, nextCursor } from "../tool.ts";

const verdictCounts = z
  .object({
    passed: z.number(),
    failed: z.number(),
    errored: z.number(),
    flaky: z.number(),
    failingSince: z.string().nullable(),
  })
  .nullable()
  .describe("Last verdicts of its enabled tests; null if none ran");

export const findApis = defineTool({
  name: "find_apis",
  title: "Find APIs",
  description:
    "Lists the registered APIs, optionally those whose name contains some words, with how many of their tests pass. Start here: the other tools take an API's id.",
  input: z.object({ query: z.string().max(200).optional().describe("Words in the name"), limit, cursor }),
  output: z.object({
    apis: z.array(
      z.object({
        id,
        name: z.string(),
        version: z.string(),
        specificationVersion: z.string(),
        operationCount: z.number(),
        problemCount: z.number().describe("Errors and warnings found in its document"),
        tags: z.array(z.string()),
        effectiveBaseUrl: z.string().nullable().describe("Where requests go by default"),
        lastVerdicts: verdictCounts,
      }),
    ),
    total: z.number().optional(),
    nextCursor,
  }),
  async answer(query, { services }) {
    const page = requireAnswer(await services.apiRegistry.listApis({ query }));
    const apiIds = page.items.map((api) => api.id).join(",");
    const summaries = apiIds
      ? answerOrNone(await services.testExecutioner.summarizeApis({ query: { apiIds } }))?.items
      : [];
    const lastVerdicts = (apiId: string) => summaries?.find((summary) => summary.apiId === apiId) ?? null;
    return {
      summary: `${count(page.total ?? page.items.length, "API")} found.`,
      data: { ...page, apis: page.items.map((api) => ({ ...api, lastVerdicts: lastVerdicts(api.id) })) },
    };
  },
});

export const findOperations = defineTool({
  name: "find_operations",
  title: "Find operations",
  description:
    "Searches the operations of an API (path, summary and operation id) in its current OpenAPI document. describe_operation then returns one of them with its parameters and schemas.",
  input: z.object({
    apiId: givenId,
    query: z.string().max(200).optional().describe("Words in path, summary or operation id"),
    method: z.string().max(40).optional().describe("In lower case, such as get"),
    effect: z
      .enum(["safe", "changes", "deletes"])
      .optional()
      .describe("Only operations whose method changes no data, changes it, or deletes"),
    limit,
    cursor,
  }),
  output: z.object({
    operations: z.array(
      z.object({
        method: z.string(),
        path: z.string(),
        operationId: z.string().nullable(),
        summary: z.string(),
        tags: z.array(z.string()),
        deprecated: z.boolean(),
        responseStatuses: z.array(z.string()),
      }),
    ),
    total: z.number().optional(),
    nextCursor,
  }),
  async answer({ apiId, ...query }, { services }) {
    const page = requireAnswer(await services.apiRegistry.listOperations({ params: { apiId }, query }));
    return {
      summary: `${count(page.total ?? page.items.length, "operation")} found.`,
      data: { ...page, operations: page.items },
    };
  },
});

/** Of the components that an operation reaches, in characters of JSON; the rest is named. */
const maxComponentCharacters = 30_000;

export const describeOperation = defineTool({
  name: "describe_operation",
  title: "Describe an operation",
  description:
    "One operation as its OpenAPI document describes it: parameters, request body, responses, security, and the components that it refers to.",
  input: z.object({
    apiId: givenId,
    method: z.string().max(40).describe("In lower case"),
    path: z.string().max(4_000).describe("Path template, such as /books/{bookId}"),
  }),
  output: z.object({
    operation: z.record(z.string(), z.unknown()),
    components: z.record(z.string(), z.unknown()).describe("By JSON pointer, as $ref writes it"),
    omittedComponents: z.array(z.string()).describe("Too large for this response"),
  }),
  async answer({ apiId, method, path }, { services }) {
    const found = requireAnswer(await services.apiRegistry.getOperation({ params: { apiId, method, pathName: path } }));
    const components: Record<string, unknown> = {};
    const omittedComponents: string[] = [];
    let characters = 0;
    for (const [pointer, component] of Object.entries(found.components)) {
      const size = JSON.stringify(component).length;
      if (characters + size > maxComponentCharacters) omittedComponents.push(pointer);
      else {
        components[pointer] = component;
        characters += size;
      }
    }
    const { operation } = found;
    return {
      summary: `The operation has ${count(operation.parameters.length, "parameter")} and ${count(operation.responses.length, "documented response")}.`,
      data: { operation: { ...operation }, components, omittedComponents },
    };
  },
});

export const validateDocument = defineTool({
  name: "validate_document",
  title: "Validate an OpenAPI document",
  description:
    "Checks an OpenAPI document (2.0 to 3.2, JSON or YAML), given as text or by its address, and lists what is wrong with it, where, and how to fix it. Registers nothing. Needs the scope apis:write.",
  input: z.object({
    document: z.string().max(1_500_000).optional().describe("The text of the document"),
    url: z.url().max(4_000).optional().describe("Or its address, which the portal reads"),
  }),
  output: z.object({
    usable: z.boolean(),
    title: z.string(),
    version: z.string(),
    specificationVersion: z.string().optional(),
    operationCount: z.number(),
    problemCount: z.number().describe("Errors and warnings, without notices"),
    problems: z.array(
      z.object({
        severity: z.string(),
        message: z.string(),
        pointer: z.string(),
        file: z.string().optional(),
        line: z.number(),
        column: z.number(),
        count: z.number(),
      }),
    ),
  }),
  async answer({ document, url }, { services }) {
    const source = document === undefined ? { url: url ?? "" } : { document };
    const inspection = requireAnswer(await services.apiRegistry.inspectDocument({ body: source }));
    const { usable, problemCount, problems } = inspection;
    const found = problemCount === 0 ? "no problems" : count(problemCount, "problem");
    return {
      summary: `The document is ${usable ? "usable" : "not usable"} and has ${found}.`,
      data: { ...inspection, problems: problems.slice(0, 50) },
    };
  },
});
