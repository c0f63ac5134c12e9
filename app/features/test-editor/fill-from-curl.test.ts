import { expect, test } from "vitest";
import { readCurl } from "~/features/code-samples/read-curl";
import type { EditedOperation } from "./editor-props.ts";
import { fillFromCurl } from "./fill-from-curl.ts";
import { emptyBody } from "./values-of-test.ts";

const operation = {
  method: "put",
  path: "/books/{bookId}/editions/{editionId}",
  parameters: [{ name: "theme", in: "cookie" }],
} as EditedOperation;

function fill(command: string, baseUrl: string | null = "https://api.test/v2") {
  const read = readCurl(command);
  if (read.error !== undefined) throw new Error(read.error);
  return fillFromCurl(read.request, operation, { baseUrl, body: emptyBody });
}

const put = "curl -X PUT https://api.test/v2/books/7/editions/a%20b";
const pair = (name: string, value: string) => ({ name, value, enabled: true });

test("path, query, headers and body of the operation are filled", () => {
  const command = `${put}?lang=en -H 'If-Match: "3"' -H 'Content-Type: application/json' -d '{"title":"Dune"}' -b theme=dark`;
  expect(fill(command)).toEqual({
    request: {
      pathParameters: [pair("bookId", "7"), pair("editionId", "a b")],
      query: [pair("lang", "en")],
      headers: [pair("If-Match", '"3"')],
      cookies: [pair("theme", "dark")],
      body: { ...emptyBody, kind: "json", json: '{"title":"Dune"}' },
    },
    notes: [],
  });
});

test("another path fills nothing", () => {
  const fault =
    "The command's path is /v2/books/7, which is not /books/{bookId}/editions/{editionId}. Nothing was filled in.";
  expect(fill("curl https://api.test/v2/books/7")).toEqual({ fault });
});

test("another method or host is reported", () => {
  expect(fill("curl https://other.test/books/7/editions/8")).toMatchObject({
    notes: [
      "The command sends GET. This test still sends PUT.",
      "The command goes to other.test. This test still sends to api.test.",
    ],
  });
});

test("neither secrets nor unrequested headers are filled in", () => {
  const command = `${put}?access_token=s3cret -u tom:s3cret -H 'Authorization: Bearer s3cret' -H 'X-Api-Key: s3cret' -H 'sec-fetch-mode: cors' -b session=s3cret -k`;
  const filled = fill(command);
  expect(JSON.stringify(filled)).not.toContain("s3cret");
  expect(filled).toMatchObject({
    request: { query: [], headers: [], cookies: [] },
    notes: [
      "Not copied because secret: the user name and password, the query parameter access_token, the header Authorization, the header X-Api-Key. Choose a credential under Authorization, or write a {{variable}}.",
      "Left out: sec-fetch-mode, cookie session, --insecure.",
    ],
  });
});

test("forms and parts become rows", () => {
  expect(fill(`${put} -d a=1 -d b=x+y`)).toMatchObject({
    request: { body: { kind: "form", fields: [pair("a", "1"), pair("b", "x y")] } },
  });
  expect(fill(`${put} -F cover=@c.png`)).toMatchObject({
    request: { body: { kind: "multipart", parts: [{ name: "cover", fileName: "c.png", value: "", enabled: true }] } },
  });
});
