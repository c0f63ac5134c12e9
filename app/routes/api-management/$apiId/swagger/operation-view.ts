import type { ApiServer, SecurityScheme } from "#contracts/api-registry/documents.ts";
import {
  type MediaTypeContent,
  mediaTypeContent,
  type OperationParameter,
  type OperationResponse,
  type OperationWithComponents,
} from "#contracts/api-registry/operations.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { writeIndentedJson } from "#libraries/json/write-json.ts";
import { securityInWords } from "~/features/operation/security-words";
import { describeSchema } from "~/features/schema-view/describe-schema";
import { isRecord, join } from "~/features/schema-view/read-schema";
import type { SchemaNode } from "~/features/schema-view/schema-node";
import { formatValue } from "~/features/schema-view/schema-words";
import { createMarkdownRenderer, type RenderMarkdown } from "~/ui/markdown/markdown";

/** One operation as its page shows it: Markdown rendered, schemas in words, everything limited to a readable size. */
export interface OperationView {
  method: string;
  path: string;
  summary: string;
  operationId: string | null;
  tags: readonly string[];
  deprecated: boolean;
  descriptionHtml: string;
  externalDocs?: { url: string; description?: string };
  servers: readonly ApiServer[];
  /** Alternatives, each in words; empty when no authorization is needed. */
  security: readonly { name: string; words: string; scopes: readonly string[] }[][];
  parameterGroups: readonly { title: string; parameters: readonly ParameterView[] }[];
  body?: { required: boolean; descriptionHtml: string; contents: readonly ContentView[] };
  responses: readonly ResponseView[];
  callbacks: readonly CallbackView[];
}

export interface ParameterView {
  name: string;
  required: boolean;
  deprecated: boolean;
  descriptionHtml: string;
  /** The serialization of arrays and objects, where it is not the default. */
  serialization?: string;
  schema?: SchemaNode;
  examples: readonly string[];
}

export interface ContentView {
  /** Groups media types of the same schema. */
  mediaTypes: readonly string[];
  schema?: SchemaNode;
  examples: readonly ExampleView[];
}

export interface ExampleView {
  label: string;
  descriptionHtml: string;
  text: string;
}

export interface ResponseView {
  status: string;
  descriptionHtml: string;
  headers: readonly { name: string; required: boolean; descriptionHtml: string; schema?: SchemaNode }[];
  contents: readonly ContentView[];
  links: readonly { name: string; operationId?: string; descriptionHtml: string; parameters: string }[];
}

export interface CallbackView {
  name: string;
  expression: string;
  method: string;
  summary: string;
  descriptionHtml: string;
  contents: readonly ContentView[];
  responses: readonly { status: string; descriptionHtml: string }[];
}

/** Maximum number of unfolded schemas by location; the most important locations get the most. */
const limits = { parameter: 25, body: 80, success: 60, other: 25 } as const;
const maximumExamples = 4;
const maximumExampleLength = 6_000;

export function viewOperation(result: OperationWithComponents): OperationView {
  const { operation, components } = result;
  /** Schemas that earlier responses have shown; later responses show their first level only. */
  const shownInResponses = new Set<string>();
  const renderMarkdown = createMarkdownRenderer();
  const schemaInWords = (
    schema: OperationParameter["schema"],
    location: string,
    maximumNodes: number,
    maximumDepth?: number,
  ) =>
    schema === undefined
      ? undefined
      : describeSchema(schema, { components, location, maximumNodes, maximumDepth, renderMarkdown });
  const markdown = (text: string | undefined) => renderMarkdown(text ?? "", { topHeadingLevel: 4 });

  function viewContents(contents: readonly MediaTypeContent[], location: string, maximumNodes: number): ContentView[] {
    const bySchema = new Map<string, { mediaTypes: string[]; index: number; samples: MediaTypeContent[] }>();
    for (const [index, content] of contents.entries()) {
      const key = JSON.stringify(content.schema ?? null);
      const known = bySchema.get(key);
      if (known) {
        known.mediaTypes.push(content.mediaType);
        known.samples.push(content);
      } else bySchema.set(key, { mediaTypes: [content.mediaType], index, samples: [content] });
    }
    return [...bySchema].map(([key, { mediaTypes, index, samples }]) => {
      const isRepeated = shownInResponses.has(key);
      if (location.startsWith("/operation/responses")) shownInResponses.add(key);
      const schemaLocation = join(location, index, "schema");
      return {
        mediaTypes,
        schema: schemaInWords(contents[index]!.schema, schemaLocation, maximumNodes, isRepeated ? 1 : undefined),
        // A generated sample would be the same again; the document's own examples differ.
        examples: distinct(
          samples
            .filter(({ examples }) => !isRepeated || examples.length > 0)
            .flatMap((content) => viewExamples(content, renderMarkdown)),
        ).slice(0, maximumExamples),
      };
    });
  }

  function viewResponse(response: OperationResponse, index: number): ResponseView {
    const location = join("/operation/responses", index);
    const { status, description, headers, content, links } = response;
    return {
      status,
      descriptionHtml: markdown(description),
      headers: headers.map((header, at) => ({
        name: header.name,
        required: header.required,
        descriptionHtml: markdown(header.description),
        schema: schemaInWords(header.schema, join(location, "headers", at, "schema"), limits.parameter),
      })),
      contents: viewContents(
        content,
        join(location, "content"),
        status.startsWith("2") ? limits.success : limits.other,
      ),
      links: links.map((link) => ({
        name: link.name,
        operationId: link.operationId,
        descriptionHtml: markdown(link.description),
        parameters: isRecord(link.parameters)
          ? Object.entries(link.parameters)
              .map(([name, value]) => `${name} from ${typeof value === "string" ? value : formatValue(value)}`)
              .join(", ")
          : "",
      })),
    };
  }

  const locations = [
    ["path", "Path parameters"],
    ["query", "Query parameters"],
    ["querystring", "Query string"],
    ["header", "Headers"],
    ["cookie", "Cookies"],
  ] as const;
  const parameterGroups = locations.map(([location, title]) => ({
    title,
    parameters: operation.parameters.flatMap((parameter, index) =>
      parameter.in === location
        ? [
            {
              name: parameter.name,
              required: parameter.required,
              deprecated: parameter.deprecated,
              descriptionHtml: markdown(parameter.description),
              serialization: serializationInWords(parameter),
              schema: schemaInWords(parameter.schema, join("/operation/parameters", index, "schema"), limits.parameter),
              examples: parameter.examples
                .slice(0, 3)
                .map(({ value, valueJson }) => formatValue(joinJson(value, valueJson))),
            },
          ]
        : [],
    ),
  }));

  const { requestBody } = operation;
  return {
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    operationId: operation.operationId,
    tags: operation.tags,
    deprecated: operation.deprecated,
    // Many documents repeat the summary as the description.
    descriptionHtml: operation.description.trim() === operation.summary.trim() ? "" : markdown(operation.description),
    externalDocs: operation.externalDocs,
    servers: operation.servers,
    security: operation.security.map((alternative) =>
      alternative.map(({ schemeName, scopes }) => ({
        name: schemeName,
        words: schemeInWords(result.securitySchemes, schemeName),
        scopes,
      })),
    ),
    parameterGroups: parameterGroups.filter(({ parameters }) => parameters.length > 0),
    body: requestBody && {
      required: requestBody.required,
      descriptionHtml: markdown(requestBody.description),
      contents: viewContents(requestBody.content, "/operation/requestBody/content", limits.body),
    },
    responses: operation.responses.map(viewResponse),
    callbacks: operation.callbacks.map((callback, index) => ({
      name: callback.name,
      expression: callback.expression,
      method: callback.method,
      summary: callback.summary,
      descriptionHtml: markdown(callback.description),
      contents: viewContents(
        getContents(callback.requestBody),
        join("/operation/callbacks", index, "requestBody", "content"),
        limits.other,
      ),
      responses: callback.responses.map(({ status, description }) => ({
        status,
        descriptionHtml: markdown(description),
      })),
    })),
  };
}

/** The contract leaves a callback's body open; it has the shape of an operation's. */
function getContents(requestBody: unknown): MediaTypeContent[] {
  const content = isRecord(requestBody) ? mediaTypeContent.array().safeParse(requestBody.content) : undefined;
  return content?.success ? content.data : [];
}

function schemeInWords(schemes: readonly SecurityScheme[], name: string): string {
  const scheme = schemes.find((candidate) => candidate.name === name);
  return scheme ? securityInWords(scheme) : "not described in the document";
}

const usualStyles = new Set(["simple", "form", "cookie"]);

function serializationInWords({ style, explode, schema, contentMediaType }: OperationParameter): string | undefined {
  if (contentMediaType) return `written as ${contentMediaType}`;
  if (!usualStyles.has(style)) return `written in the style ${style}`;
  const isList = isRecord(schema) && schema.type === "array";
  return isList && style === "form" && !explode ? "several values separated by commas" : undefined;
}

function viewExamples(
  { mediaType, examples, sample, sampleJson }: MediaTypeContent,
  renderMarkdown: RenderMarkdown,
): ExampleView[] {
  if (examples.length > 0) {
    return examples.slice(0, maximumExamples).map(({ name, summary, description, value, valueJson }) => ({
      label: summary || (name && name !== "example" ? name : "Example"),
      descriptionHtml: renderMarkdown(description ?? "", { topHeadingLevel: 5 }),
      text: exampleText(joinJson(value, valueJson)),
    }));
  }
  // A sample is generated as JSON, which is not how XML or a form is sent.
  if (sample === undefined || !(typeof sample === "string" || /[/+]json\b/i.test(mediaType))) return [];
  return [
    {
      label: "Example generated from the schema",
      descriptionHtml: "",
      text: exampleText(joinJson(sample, sampleJson)),
    },
  ];
}

/** An example shared by two media types is shown once; different ones of the same name are numbered. */
function distinct(examples: readonly ExampleView[]): ExampleView[] {
  const byText = [...new Map(examples.map((example) => [example.text, example])).values()];
  const named = new Map<string, number>();
  return byText.map((example) => {
    const number = (named.get(example.label) ?? 0) + 1;
    named.set(example.label, number);
    return number === 1 ? example : { ...example, label: `${example.label} ${number}` };
  });
}

function exampleText(value: unknown): string {
  const text = typeof value === "string" ? value : writeIndentedJson(value);
  return text.length > maximumExampleLength ? `${text.slice(0, maximumExampleLength)}\n…` : text;
}
