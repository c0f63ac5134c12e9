import type { SubmissionResult } from "@conform-to/dom";
import { readCurl } from "~/features/code-samples/read-curl";
import { findOperationContext } from "./editor-context.server.ts";
import { parseTestToSave } from "./editor-form.server.ts";
import type { CurlAnswer, EditorReply } from "./editor-props.ts";
import { type FilledRequest, fillFromCurl } from "./fill-from-curl.ts";
import type { SendingPlace } from "./sending.server.ts";
import type { TestFormValues } from "./test-form-values.ts";
import { emptyBody } from "./values-of-test.ts";

/** A longer text is not a copied command but a file. */
const longest = 200_000;

/** Fills the form from a cURL command; typed values are replaced only after confirmation. */
export async function answerCurl(
  form: FormData,
  command: string,
  confirmed: boolean,
  place: SendingPlace,
): Promise<EditorReply> {
  const lastResult = withoutJudgement(parseTestToSave(form, place.operation).reply());
  const say = (curl: Omit<CurlAnswer, "command">): EditorReply => ({ lastResult, curl: { command, ...curl } });
  if (command.length > longest)
    return say({ fault: "The command is too long. Paste one of at most 200,000 characters." });
  const read = readCurl(command);
  if (read.error !== undefined) return say({ fault: read.error });

  const values = (lastResult.initialValue ?? {}) as { request?: Partial<TestFormValues["request"]> };
  const before = values.request ?? {};
  const { operation, baseUrl } = await findOperationContext(place.viewer, place.apiId, place.operation);
  const filled = fillFromCurl(read.request, operation, {
    baseUrl: before.baseUrl?.trim() || baseUrl,
    body: { ...emptyBody, ...before.body },
  });
  if (filled.fault !== undefined) return say({ fault: filled.fault });
  const replaces = replacedParts(before, filled.request);
  if (replaces.length > 0 && !confirmed) return say({ replaces });
  const initialValue = { ...values, request: { ...before, ...asSent(filled.request) } };
  return {
    lastResult: { ...lastResult, initialValue: initialValue as unknown as SubmissionResult["initialValue"] },
    curl: { command: "", notes: filled.notes },
  };
}

/** The form is not validated while it is filled. */
function withoutJudgement(result: SubmissionResult): SubmissionResult {
  return { ...result, status: undefined, error: {} };
}

const partNames: Record<Exclude<keyof FilledRequest, "body">, string> = {
  pathParameters: "path parameters",
  query: "query parameters",
  headers: "headers",
  cookies: "cookies",
};

/** The parts with typed values that the command would change. */
function replacedParts(before: Partial<FilledRequest>, filled: FilledRequest): string[] {
  const rowsOf = (rows: readonly { name?: string; value?: string }[] = []) =>
    rows.flatMap(({ name = "", value = "" }) => (value ? [`${name}=${value}`] : []));
  const lists = (Object.keys(partNames) as (keyof typeof partNames)[]).filter((part) => {
    const typed = rowsOf(before[part]);
    return typed.length > 0 && typed.join("\n") !== rowsOf(filled[part]).join("\n");
  });
  const { kind = "none" } = before.body ?? {};
  const isBodyChanged = kind !== "none" && JSON.stringify(bodyOf(before.body!)) !== JSON.stringify(bodyOf(filled.body));
  return [...lists.map((part) => partNames[part]), ...(isBodyChanged ? ["body"] : [])];
}

function bodyOf({ kind, json = "", text = "", fields = [], parts = [] }: FilledRequest["body"]) {
  const rows = (list: readonly { name: string; value: string }[]) => list.map(({ name, value }) => [name, value]);
  const content = {
    json: json.replaceAll("\r\n", "\n"),
    text: text.replaceAll("\r\n", "\n"),
    form: rows(fields),
    multipart: rows(parts),
  };
  return [kind, content[kind as keyof typeof content]];
}

/** As the form sends it: a ticked box is "on". */
function asSent(request: FilledRequest) {
  const rows = <Row extends { enabled: boolean }>(list: readonly Row[] | undefined) =>
    (list ?? []).map((row) => ({ ...row, enabled: "on" }));
  const { pathParameters, query, headers, cookies, body } = request;
  return {
    ...{ pathParameters: rows(pathParameters), query: rows(query), headers: rows(headers), cookies: rows(cookies) },
    body: {
      ...body,
      ...(body.kind === "form" && { fields: rows(body.fields) }),
      ...(body.kind === "multipart" && { parts: rows(body.parts) }),
    },
  };
}
