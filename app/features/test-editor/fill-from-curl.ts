import type { CurlRequest } from "~/features/code-samples/read-curl";
import type { EditedOperation } from "./editor-props.ts";
import type { PairRow, PartRow, TestFormValues } from "./test-form-values.ts";
import { templateNames } from "./values-of-test.ts";

export type FilledRequest = Pick<
  TestFormValues["request"],
  "pathParameters" | "query" | "headers" | "cookies" | "body"
>;

export type CurlFill = { request: FilledRequest; notes: string[]; fault?: undefined } | { fault: string };

/** Headers that curl, the network or a browser set for each request. */
const written = /^(host|content-length|connection|accept-encoding|transfer-encoding|priority|sec-.*)$/i;
const secret = /^(proxy-)?authorization$|api[-_]?key|token|secret|passw/i;

/** Fills a test's request from a cURL command; reports the parts that do not fit the operation. */
export function fillFromCurl(
  curl: CurlRequest,
  operation: EditedOperation,
  { baseUrl, body }: { baseUrl: string | null; body: TestFormValues["request"]["body"] },
): CurlFill {
  const values = pathValues(operation.path, curl.url.pathname);
  if (!values) {
    const fault = `The command's path is ${curl.url.pathname}, which is not ${operation.path}. Nothing was filled in.`;
    return { fault };
  }
  const notes: string[] = [];
  const method = operation.method.toUpperCase();
  if (curl.method !== method) notes.push(`The command sends ${curl.method}. This test still sends ${method}.`);
  const base = baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (base?.host !== curl.url.host) {
    const here = base ? `This test still sends to ${base.host}.` : "Set the base URL of this test below.";
    notes.push(`The command goes to ${curl.url.host}. ${here}`);
  }
  const secrets: string[] = curl.hasPassword || curl.url.username ? ["the user name and password"] : [];
  const open = (name: string, kind: string) => {
    if (secret.test(name)) secrets.push(`the ${kind} ${name}`);
    return !secret.test(name);
  };
  const documentedCookies = operation.parameters.filter((one) => one.in === "cookie").map(({ name }) => name);
  const request: FilledRequest = {
    pathParameters: values.map(([name, value]) => row(name, value)),
    query: [...curl.url.searchParams]
      .filter(([name]) => open(name, "query parameter"))
      .map(([name, value]) => row(name, value)),
    headers: curl.headers
      .filter(([name]) => !written.test(name) && !/^content-type$/i.test(name) && open(name, "header"))
      .map(([name, value]) => row(name, value)),
    cookies: curl.cookies
      .filter(([name]) => documentedCookies.includes(name) && open(name, "cookie"))
      .map(([name, value]) => row(name, value)),
    body: filledBody(curl, body),
  };
  const left = [
    ...curl.headers.map(([name]) => name).filter((name) => written.test(name)),
    ...curl.cookies.filter(([name]) => !documentedCookies.includes(name)).map(([name]) => `cookie ${name}`),
    ...curl.unread,
  ];
  if (secrets.length > 0) {
    notes.push(
      `Not copied because secret: ${secrets.join(", ")}. Choose a credential under Authorization, or write a {{variable}}.`,
    );
  }
  if (left.length > 0) notes.push(`Left out: ${left.join(", ")}.`);
  return { request, notes };
}

/** Values of the path's parameters; undefined for another path. Its prefix belongs to the base URL. */
function pathValues(template: string, pathname: string): [name: string, value: string][] | undefined {
  const names = templateNames(template);
  const [path = ""] = template.split(/[?#]/);
  const pattern = path
    .split(/(\{[^{}]+\})/)
    .map((piece) => (/^\{.+\}$/.test(piece) ? "([^/]+)" : piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("");
  const found = new RegExp(`${pattern}/?$`).exec(pathname) ?? new RegExp(`${pattern}/?$`).exec(decoded(pathname));
  return found ? names.map((name, index) => [name, decoded(found[index + 1] ?? "")]) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function row(name: string, value: string): PairRow {
  return { name, value, enabled: true };
}

/** Other kinds of body keep their typed values. */
function filledBody({ body, parts, headers }: CurlRequest, typed: FilledRequest["body"]): FilledRequest["body"] {
  const mediaType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  if (parts.length > 0) {
    const rows = parts.map(
      (part): PartRow => ({ ...part, headers: "", file: "", upload: "", withoutFile: false, enabled: true }),
    );
    return { ...typed, kind: "multipart", parts: rows };
  }
  if (body === undefined) return { ...typed, kind: "none" };
  if (/[/+]json\b/i.test(mediaType)) {
    const own = /^application\/json$/i.test(mediaType) ? "" : mediaType;
    return { ...typed, kind: "json", json: body, jsonMediaType: own };
  }
  if (/^application\/x-www-form-urlencoded/i.test(mediaType)) {
    const fields = [...new URLSearchParams(body)].map(([name, value]) => row(name, value));
    return { ...typed, kind: "form", fields };
  }
  return { ...typed, kind: "text", text: body, textMediaType: mediaType || "text/plain" };
}
