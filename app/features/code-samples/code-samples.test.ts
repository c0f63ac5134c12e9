import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DescribedOperation, OperationParameter } from "#contracts/api-registry/operations.ts";
import { curl } from "#libraries/code-samples/curl.ts";
import { codeSamples, javaScript, python, pythonLiteral } from "./code-samples.ts";
import { sampleRequest } from "./sample-request.ts";

const parameter = (
  style: OperationParameter["style"],
  explode: boolean,
  location: OperationParameter["in"] = "query",
): OperationParameter => ({
  name: "color",
  in: location,
  style,
  explode,
  required: true,
  deprecated: false,
  description: "",
  allowReserved: false,
  examples: [],
});
const operation: DescribedOperation = {
  operationId: null,
  path: "/pets/{petId}",
  method: "post",
  summary: "",
  tag: "",
  tags: [],
  deprecated: false,
  responseStatuses: [],
  description: "",
  servers: [],
  parameters: [
    { ...parameter("simple", false, "path"), name: "petId", sample: "a/b c" },
    { ...parameter("form", false), name: "fields", sample: ["name", "tag"] },
    { ...parameter("form", true), name: "optional", required: false, sample: 1 },
    { ...parameter("simple", false, "header"), name: "X-Trace", required: true },
    { ...parameter("form", true, "cookie"), name: "theme", sample: "dark" },
  ],
  requestBody: {
    required: true,
    description: "",
    content: [
      { mediaType: "application/xml", examples: [], sample: "<pet/>" },
      { mediaType: "application/json", examples: [], sample: { name: "O'Neill", tags: [true, null] } },
    ],
  },
  responses: [],
  security: [[{ schemeName: "key", scopes: [] }]],
  callbacks: [],
};
const options = {
  baseUrl: "https://api.example.com/v1/",
  securitySchemes: [{ name: "key", type: "apiKey" as const, in: "header" as const, parameterName: "X-Key" }],
};

test("a sample has the required parameters, the first authorization and a body", () => {
  expect(sampleRequest(operation, options)).toEqual({
    method: "POST",
    url: "https://api.example.com/v1/pets/a%2Fb%20c?fields=name,tag",
    headers: [
      { name: "X-Trace", value: "YOUR_X_TRACE" },
      { name: "X-Key", value: "YOUR_API_KEY" },
      { name: "Content-Type", value: "application/json" },
      { name: "Cookie", value: "theme=dark" },
    ],
    body: { kind: "json", mediaType: "application/json", value: { name: "O'Neill", tags: [true, null] } },
  });
});

test("a file in a multipart form has the name, type and content that a test sends", () => {
  const content = [
    {
      mediaType: "multipart/form-data",
      examples: [],
      sample: { title: "Me", photo: "bytes" },
      schema: { type: "object", properties: { title: {}, photo: { type: "string", format: "binary" } } },
    },
  ];
  const [shell, script, snake] = codeSamples(
    sampleRequest({ ...operation, requestBody: { required: true, description: "", content } }, options),
  );
  expect(shell?.code).toContain(`-F 'photo="bytes";filename="photo.bin";type=application/octet-stream'`);
  expect(script?.code).toContain(
    'form.append("photo", new Blob(["bytes"], { type: "application/octet-stream" }), "photo.bin");',
  );
  expect(snake?.code).toContain('("photo", ("photo.bin", "bytes".encode(), "application/octet-stream"))');
});

const request = (value: unknown, header = "x") => ({
  method: "POST",
  url: "https://api.example.com/?q=it's",
  headers: [{ name: "X-Header", value: header }],
  body: { kind: "json" as const, mediaType: "application/json", value },
});

test("a shell parses the curl command as intended, whatever the values", () => {
  const value = { text: 'it\'s $HOME `id` \\ "x" !\n' };
  const code = curl(request(value)).replace(/^curl/, "printf '%s\\0'");
  const words = execFileSync("sh", ["-c", code], { encoding: "utf8" }).split("\0");
  expect(words[words.indexOf("--data") + 1]).toBe(JSON.stringify(value, null, 2));
  expect(words).toContain("https://api.example.com/?q=it's");
});

test("the JavaScript sample sends exactly these values", async () => {
  const sent: unknown[] = [];
  const value = { text: "it's $x ` \\ \u2028 </script>" };
  const body = `return (async () => { ${javaScript(request(value, "a`b"))} })()`;
  const fetch = async (...given: unknown[]) => {
    sent.push(...given);
    return { status: 200, text: async () => "" };
  };
  await new Function("fetch", "console", body)(fetch, { log() {} });
  expect(sent).toEqual([
    "https://api.example.com/?q=it's",
    { method: "POST", headers: { "X-Header": "a`b" }, body: JSON.stringify(value, null, 2) },
  ]);
});

test("Python literals are True, False and None", () => {
  expect(pythonLiteral({ a: [true, null, 1.5, "é\n"], b: {} })).toBe(
    '{\n    "a": [\n        True,\n        None,\n        1.5,\n        "é\\n",\n    ],\n    "b": {},\n}',
  );
  expect(python(request({ ok: false }))).toContain('"ok": False');
});

test("any JSON value can be written in every language", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, header) => {
      for (const { code } of codeSamples(request(value, header))) expect(code).not.toBe("");
    }),
  );
});
