import {
  comments,
  curl,
  getWrittenLines,
  listNotes,
  unsendableHeaders,
  withContentType,
  writeForm,
} from "#libraries/code-samples/curl.ts";
import { getHead, isOrdinaryForm, isPlainForm } from "#libraries/code-samples/multipart.ts";
import type { SampleRequest } from "#libraries/code-samples/sample-request.ts";
import type { Json } from "#libraries/json/json.ts";
import { hasExactNumber, writeIndentedJson } from "#libraries/json/write-json.ts";
import type { SampleField } from "#libraries/openapi/described-content.ts";

export interface CodeSample {
  /** For example `curl`. */
  language: string;
  code: string;
}

/** The request in the most widely known languages. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  return [
    { language: "curl", code: curl(request) },
    { language: "JavaScript", code: javaScript(request) },
    { language: "Python", code: python(request) },
  ];
}

/**
 * JSON is JavaScript, except for the two line separators that strings once did not allow, and `<`, which can end a
 * script.
 */
function literal(value: unknown, indent = 0): string {
  return (JSON.stringify(value, null, 2) ?? "null").replace(/\n/g, `\n${" ".repeat(indent)}`);
}

/** The fetch standard forbids them. */
const methodsWithoutBody = new Set(["GET", "HEAD"]);
const methodsRefused = new Set(["CONNECT", "TRACE", "TRACK"]);

function listFetchNotes(request: SampleRequest): string[] {
  const { method, body, notes = [] } = request;
  return [
    ...notes,
    ...unsendableHeaders(request),
    ...(methodsRefused.has(method) ? [`fetch refuses the method ${method}; use another client.`] : []),
    ...(body && methodsWithoutBody.has(method)
      ? [`The body is omitted: fetch doesn't send one with ${method}; use another client.`]
      : []),
  ];
}

export function javaScript(request: SampleRequest): string {
  const { method, url, headers, basic } = request;
  const body = methodsWithoutBody.has(method) ? undefined : request.body;
  const options: string[] = [`  method: ${literal(method)},`];
  const written = getWrittenLines(body, isPlainForm);
  const before = comments("//", [...listFetchNotes(request), ...listNotes(body, written)]);
  const readsFile = body?.kind === "file" || (body?.kind === "multipart" && !written && body.fields.some(isChosen));
  if (readsFile) before.push('import { readFile } from "node:fs/promises";', "");
  const lines = withContentType(headers, written).map(({ name, value }) => `    ${literal(name)}: ${literal(value)},`);
  if (basic) lines.push(`    "Authorization": \`Basic \${btoa(${literal(`${basic.username}:${basic.password}`)})}\`,`);
  if (lines.length > 0) options.push("  headers: {", ...lines, "  },");
  if (body?.kind === "json") {
    const text = writeIndentedJson(body.value);
    // A number that JavaScript would round, and a member that it would take for the prototype.
    const isWritten = hasExactNumber(body.value as Json) || text.includes('"__proto__":');
    options.push(
      isWritten ? `  body: ${literal(text)},` : `  body: JSON.stringify(${literal(body.value, 2)}, null, 2),`,
    );
  }
  if (body?.kind === "text") options.push(`  body: ${literal(body.text)},`);
  if (body?.kind === "file") options.push(`  body: await readFile(${literal(body.chosenFile)}),`);
  if (body?.kind === "form") {
    const pairs = body.fields.map(({ name, value }) => [name, value]);
    const text = writeForm(body.fields);
    const isAlike = new URLSearchParams(pairs as [string, string][]).toString() === text;
    options.push(isAlike ? `  body: new URLSearchParams(${literal(pairs, 2)}),` : `  body: ${literal(text)},`);
  }
  if (written) options.push(`  body: ${literal([...written.lines, ""], 2)}.join("\\r\\n"),`);
  else if (body?.kind === "multipart") {
    if (body.fields.some(({ value, file }) => !file && /\r(?!\n)|(?<!\r)\n/.test(value))) {
      before.push("// fetch sends each line break in a form as CR and LF.");
    }
    before.push("const form = new FormData();", ...body.fields.map(formLine), "");
    options.push("  body: form,");
  }
  return [
    ...before,
    `const response = await fetch(${literal(url)}, {`,
    ...options,
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

const isChosen = ({ chosenFile }: SampleField) => chosenFile !== undefined;

function formLine(field: SampleField): string {
  const { name, value, file, chosenFile } = field;
  const { mediaType, fileName } = { fileName: undefined, ...getHead(field) };
  const content = file
    ? `new Blob([${chosenFile === undefined ? literal(value) : `await readFile(${literal(chosenFile)})`}], { type: ${literal(mediaType)} }), ${literal(fileName)}`
    : literal(value);
  return `form.append(${literal(name)}, ${content});`;
}

/** A JSON value as a Python literal. */
export function pythonLiteral(value: unknown, indent = 0): string {
  const inner = " ".repeat(indent + 4);
  const outer = " ".repeat(indent);
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => `${inner}${pythonLiteral(item, indent + 4)},\n`).join("")}${outer}]`;
  }
  if (typeof value === "object") {
    const members = Object.entries(value);
    if (members.length === 0) return "{}";
    const lines = members.map(([key, item]) => `${inner}${JSON.stringify(key)}: ${pythonLiteral(item, indent + 4)},\n`);
    return `{\n${lines.join("")}${outer}}`;
  }
  // A JSON string is also a Python string: the same quotes and escapes.
  return JSON.stringify(value);
}

export function python(request: SampleRequest): string {
  const { method, url, headers, body, basic, notes = [] } = request;
  const lines = [`    ${JSON.stringify(method)},`, `    ${JSON.stringify(url)},`];
  const imports = ["import requests"];
  const written = getWrittenLines(body, isOrdinaryForm);
  const sent = withContentType(headers, written);
  if (sent.length > 0) {
    const named = Object.fromEntries(sent.map(({ name, value }) => [name, value]));
    lines.push(`    headers=${pythonLiteral(named, 4)},`);
  }
  if (basic) lines.push(`    auth=(${JSON.stringify(basic.username)}, ${JSON.stringify(basic.password)}),`);
  switch (body?.kind) {
    case "json": {
      const text = writeIndentedJson(body.value);
      // Python writes small and large numbers with other exponents.
      const isWritten = hasExactNumber(body.value as Json) || /\de[+-]\d/.test(text);
      if (!isWritten) imports.unshift("import json", "");
      lines.push(
        isWritten
          ? `    data=${JSON.stringify(text)}.encode(),`
          : `    data=json.dumps(${pythonLiteral(body.value, 4)}, indent=2, ensure_ascii=False).encode(),`,
      );
      break;
    }
    case "text":
      lines.push(`    data=${JSON.stringify(body.text)}.encode(),`);
      break;
    case "file":
      lines.push(`    data=open(${JSON.stringify(body.chosenFile)}, "rb"),`);
      break;
    case "form":
      lines.push(
        body.fields.some(({ name, value }) => `${name}${value}`.includes("*"))
          ? `    data=${JSON.stringify(writeForm(body.fields))},`
          : `    data=[\n${body.fields.map(pythonTuple).join("")}    ],`,
      );
      break;
    case "multipart":
      lines.push(
        written
          ? `    data="\\r\\n".join(${pythonLiteral([...written.lines, ""], 4)}).encode(),`
          : `    files=[\n${body.fields.map(pythonPart).join("")}    ],`,
      );
      break;
  }
  return [
    ...comments("#", [...notes, ...unsendableHeaders(request), ...listNotes(body, written)]),
    ...imports,
    "",
    "response = requests.request(",
    ...lines,
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
}

function pythonTuple({ name, value }: SampleField): string {
  return `        (${JSON.stringify(name)}, ${JSON.stringify(value)}),\n`;
}

function pythonPart(field: SampleField): string {
  const { mediaType, headers, fileName } = { fileName: undefined, ...getHead(field) };
  const more = [
    ...(mediaType || headers ? [mediaType ? JSON.stringify(mediaType) : "None"] : []),
    ...(headers ? [pythonLiteral(Object.fromEntries(headers.map(({ name, value }) => [name, value])), 8)] : []),
  ];
  const named = fileName === undefined ? "None" : JSON.stringify(fileName);
  const { value, chosenFile } = field;
  const bytes =
    chosenFile === undefined ? `${JSON.stringify(value)}.encode()` : `open(${JSON.stringify(chosenFile)}, "rb")`;
  const content = [named, bytes, ...more].join(", ");
  return `        (${JSON.stringify(field.name)}, (${content})),\n`;
}
