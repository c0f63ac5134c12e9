import type { SampleField } from "#libraries/openapi/sample-body.ts";
import type { SampleRequest } from "./sample-request.ts";

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

/** Within single quotes a shell takes everything literally, except the quote itself. */
function shellQuoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

export function curl({ method, url, headers, body, basic }: SampleRequest): string {
  const parts = [
    method === "GET" && !body ? `curl ${shellQuoted(url)}` : `curl -X ${shellWord(method)} ${shellQuoted(url)}`,
  ];
  if (basic) parts.push(`-u ${shellQuoted(`${basic.username}:${basic.password}`)}`);
  // curl writes the boundary of a multipart body into its own header.
  for (const { name, value } of headers) parts.push(`-H ${shellQuoted(`${name}: ${value}`)}`);
  for (const argument of curlBody(body)) parts.push(argument);
  return parts.join(" \\\n  ");
}

function shellWord(text: string): string {
  return /^[\w-]+$/.test(text) ? text : shellQuoted(text);
}

function curlBody(body: SampleRequest["body"]): string[] {
  switch (body?.kind) {
    case undefined:
      return [];
    case "json":
      return [`--data ${shellQuoted(JSON.stringify(body.value, null, 2))}`];
    case "text":
      return [`--data-binary ${shellQuoted(body.text)}`];
    case "form":
      return body.fields.map(({ name, value }) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`);
    case "multipart":
      return body.fields.map(({ name, value, file }) =>
        file ? `-F ${shellQuoted(`${name}=@${fileName(name)}`)}` : `--form-string ${shellQuoted(`${name}=${value}`)}`,
      );
  }
}

function fileName(field: string): string {
  return `${field.replace(/\W+/g, "-")}.bin`;
}

/**
 * JSON is JavaScript, except for the two line separators that strings once did not allow, and `<`, which can end a
 * script.
 */
function literal(value: unknown, indent = 0): string {
  return (JSON.stringify(value, null, 2) ?? "null").replace(/\n/g, `\n${" ".repeat(indent)}`);
}

export function javaScript({ method, url, headers, body, basic }: SampleRequest): string {
  const before: string[] = [];
  const options: string[] = [`  method: ${literal(method)},`];
  const lines = headers.map(({ name, value }) => `    ${literal(name)}: ${literal(value)},`);
  if (basic) lines.push(`    "Authorization": \`Basic \${btoa(${literal(`${basic.username}:${basic.password}`)})}\`,`);
  if (lines.length > 0) options.push("  headers: {", ...lines, "  },");
  if (body?.kind === "json") options.push(`  body: JSON.stringify(${literal(body.value, 2)}),`);
  if (body?.kind === "text") options.push(`  body: ${literal(body.text)},`);
  if (body?.kind === "form") {
    options.push(
      `  body: new URLSearchParams(${literal(
        body.fields.map(({ name, value }) => [name, value]),
        2,
      )}),`,
    );
  }
  if (body?.kind === "multipart") {
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

function formLine({ name, value, file }: SampleField): string {
  const content = file ? `new Blob([/* bytes */]), ${literal(fileName(name))}` : literal(value);
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

export function python({ method, url, headers, body, basic }: SampleRequest): string {
  const lines = [`    ${JSON.stringify(method)},`, `    ${JSON.stringify(url)},`];
  if (headers.length > 0) {
    const named = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    lines.push(`    headers=${pythonLiteral(named, 4)},`);
  }
  if (basic) lines.push(`    auth=(${JSON.stringify(basic.username)}, ${JSON.stringify(basic.password)}),`);
  switch (body?.kind) {
    case "json":
      lines.push(`    json=${pythonLiteral(body.value, 4)},`);
      break;
    case "text":
      lines.push(`    data=${JSON.stringify(body.text)}.encode(),`);
      break;
    case "form":
      lines.push(`    data=[\n${body.fields.map(pythonTuple).join("")}    ],`);
      break;
    case "multipart":
      lines.push(`    files=[\n${body.fields.map(pythonPart).join("")}    ],`);
      break;
  }
  return [
    "import requests",
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

function pythonPart({ name, value, file }: SampleField): string {
  const content = file ? `open(${JSON.stringify(fileName(name))}, "rb")` : `(None, ${JSON.stringify(value)})`;
  return `        (${JSON.stringify(name)}, ${content}),\n`;
}
