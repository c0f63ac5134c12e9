import { formatPaths, getPaths, INTENT, STATE, type Submission } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { type TestInput, testInput } from "#contracts/test-registry/tests.ts";
import type { OperationKey } from "~/features/operation/operation-key";
import { rowLists } from "./row-lists.ts";
import type { TestFormValues } from "./test-form-values.ts";
import { type Fault, type MadeTest, testOfValues } from "./test-of-values.ts";

const typed = z.string().default("");
/** Browsers send line breaks of a text area as CR LF, whatever the original was. */
const typedLines = z
  .string()
  .default("")
  .transform((text) => text.replaceAll("\r\n", "\n"));
const ticked = z.boolean().default(false);
const pairRow = z.object({ name: typed, value: typedLines, enabled: ticked });

const partRow = pairRow.extend({
  fileName: typed,
  mediaType: typed,
  headers: typedLines,
  file: typed,
  upload: typed,
  withoutFile: ticked,
});

const formValues = z.object({
  name: typed,
  enabled: ticked,
  tags: typed,
  request: z.object({
    baseUrl: typed,
    pathParameters: z.array(pairRow).default([]),
    query: z.array(pairRow).default([]),
    headers: z.array(pairRow).default([]),
    cookies: z.array(pairRow).default([]),
    body: z.object({
      kind: z.string().default("none"),
      json: typedLines,
      jsonMediaType: typed,
      text: typedLines,
      textMediaType: typed,
      fields: z.array(pairRow).default([]),
      multipartType: typed,
      parts: z.array(partRow).default([]),
      file: typed,
      upload: typed,
      fileMediaType: typed,
    }),
    authorization: z.object({
      kind: z.string().default("inherit"),
      bindings: z.array(z.object({ schemeName: typed, credentialId: typed })).default([]),
    }),
    followRedirects: ticked,
    readUntil: z.object({ kind: z.string().default("end"), limit: typed }).default({ kind: "end", limit: "" }),
  }),
  assertions: z
    .array(z.object({ source: typed, property: typed, comparison: typed, target: typed, targetType: typed }))
    .default([]),
  checks: z.array(z.string()).default([]),
  maximumResponseMilliseconds: typed,
  captures: z
    .array(
      z.object({
        name: typed,
        source: typed,
        property: typed,
        pattern: typed,
        secret: z.string().default("byName"),
        optional: ticked,
      }),
    )
    .default([]),
  data: typedLines,
  retry: z.object({ attempts: typed, backoff: z.string().default("fixed"), delayMilliseconds: typed }),
  waitUntil: z.object({ everySeconds: typed, atMostSeconds: typed }).default({ everySeconds: "", atMostSeconds: "" }),
  timeoutMilliseconds: typed,
  locationId: typed,
}) satisfies z.ZodType<TestFormValues>;

export interface ReadEditor {
  /** Undefined parts could not be read; only used when the submission succeeded. */
  test: TestInput;
  fieldOf: MadeTest["fieldOf"];
}

export type EditorSubmission = Submission<ReadEditor>;

/** Parses the form as a test to be saved. @param uploads what is wrong with its files */
export function parseTestToSave(form: FormData, operation: OperationKey, uploads: Fault[] = []): EditorSubmission {
  return parseEditor(form, operation, { uploads, matters: () => true });
}

/**
 * Parses the form for sending its request: only the request has to be valid. The other parts fall back to defaults, so
 * that a request can be sent before there is a name or a finished assertion.
 */
export function parseTestToSend(form: FormData, operation: OperationKey, uploads: Fault[] = []): EditorSubmission {
  return parseEditor(form, operation, {
    uploads,
    matters: ({ path }) => /^(request|timeoutMilliseconds)\b/.test(path),
  });
}

function parseEditor(
  form: FormData,
  operation: OperationKey,
  { uploads, matters }: { uploads: Fault[]; matters: (fault: Fault) => boolean },
): EditorSubmission {
  refuseUnreadable(form);
  const schema = formValues.transform((values, context): ReadEditor => {
    const made = testOfValues(values, operation);
    const parsed = testInput.safeParse(made.input);
    const judged = parsed.success
      ? []
      : parsed.error.issues.map(({ path, message }) => ({
          path: made.fieldOf(formatPaths(path as (string | number)[])),
          message,
        }));
    // The form's own message is better than the contract's for the same field.
    const failed = new Set(uploads.map(({ path }) => path));
    const known = [...uploads, ...made.faults.filter(({ path }) => !failed.has(path))];
    const own = new Set(known.map(({ path }) => path));
    const faults = [...known, ...judged.filter(({ path }) => !own.has(path))];
    faults.sort((one, other) => rankOf(one) - rankOf(other));
    for (const { path, message } of faults.filter(matters)) {
      context.addIssue({ code: "custom", path: getPaths(path), message });
    }
    return { test: parsed.success ? parsed.data : withoutFaulty(made.input), fieldOf: made.fieldOf };
  });
  return parseWithZod(form, { schema });
}

/** Errors in the order of the form, so that the summary leads down the page. */
const formOrder = [
  "name",
  "tags",
  "enabled",
  ...[
    "baseUrl",
    "followRedirects",
    "readUntil",
    "pathParameters",
    "query",
    "cookies",
    "headers",
    "body",
    "authorization",
  ].map((part) => `request.${part}`),
  "assertions",
  "checks",
  "maximumResponseMilliseconds",
  "captures",
  "data",
  "waitUntil",
  "timeoutMilliseconds",
  "retry",
  "locationId",
];

function rankOf({ path }: Fault): number {
  return formOrder.findIndex((start) => path.startsWith(start));
}

/** The parts of an unfinished test that are already valid. */
function withoutFaulty(input: Record<string, unknown>): TestInput {
  const { request, assertions, captures, timeoutMilliseconds } = testInput.shape;
  const usable = <Item>(schema: z.ZodType<Item[]>, list: unknown) =>
    (Array.isArray(list) ? list : []).flatMap((item) => {
      const parsed = schema.safeParse([item]);
      return parsed.success ? parsed.data : [];
    });
  const parsedRequest = request.safeParse(input.request);
  const parsedTimeout = timeoutMilliseconds.safeParse(input.timeoutMilliseconds);
  return {
    ...(input as TestInput),
    request: parsedRequest.success ? parsedRequest.data : (input as TestInput).request,
    assertions: usable(assertions, input.assertions),
    captures: usable(captures, input.captures),
    timeoutMilliseconds: parsedTimeout.success ? parsedTimeout.data : 30_000,
  };
}

const rowIntent = z.union([
  z.object({
    type: z.literal("insert"),
    payload: z.object({ name: z.enum(rowLists), defaultValue: z.record(z.string(), z.string()).optional() }),
  }),
  z.object({
    type: z.literal("remove"),
    payload: z.object({ name: z.enum(rowLists), index: z.number().int().min(0).max(999) }),
  }),
]);

/** The validated fields: conform keeps their errors visible while rows are added and removed. */
const formState = z.object({ validated: z.record(z.string(), z.boolean()) });

/**
 * Answers 400 for fields that our form never sends. A name such as `headers[99999999].name` would create a list of that
 * length, and an intent may write to any path.
 */
function refuseUnreadable(form: FormData): void {
  const names = [...new Set(form.keys())];
  const odd = names.some((name) => !/^[A-Za-z_]+(?:\.[A-Za-z]+|\[\d{1,3}\])*$/.test(name) || isRowList(name));
  const intent = form.get(INTENT);
  const state = form.get(STATE);
  const ours = !odd && (intent === null || isJson(intent, rowIntent)) && (state === null || isJson(state, formState));
  if (!ours) {
    throw new Response("This form could not be read. Go back and try again.", { status: 400 });
  }
}

function isRowList(name: string): boolean {
  return (rowLists as readonly string[]).includes(name);
}

function isJson(text: FormDataEntryValue, schema: z.ZodType): boolean {
  try {
    return schema.safeParse(JSON.parse(String(text))).success;
  } catch {
    return false;
  }
}
