import { expect, test } from "vitest";
import { curlOfSent } from "./curl-of-sent.ts";
import { readCurl } from "./read-curl.ts";

const read = (command: string) => {
  const { request, error } = readCurl(command) as { request: never; error?: string };
  if (error !== undefined) return error;
  const { url, ...rest } = request as { url: URL };
  return { url: url.href, ...rest };
};

test("a command copied from Chrome is read with its headers, cookies and escaped body", () => {
  const command = `curl 'https://api.test/books/7?lang=en' \\
  -X 'PUT' \\
  -H 'accept: application/json' \\
  -H 'content-type: application/json' \\
  -b 'session=abc; theme=dark' \\
  --data-raw $'{"title":"O\\'Hara","note":"a\\\\nb"}' \\
  --compressed`;
  expect(read(command)).toMatchObject({
    method: "PUT",
    url: "https://api.test/books/7?lang=en",
    headers: [
      ["accept", "application/json"],
      ["content-type", "application/json"],
    ],
    cookies: [
      ["session", "abc"],
      ["theme", "dark"],
    ],
    body: '{"title":"O\'Hara","note":"a\\nb"}',
    unread: [],
  });
});

test.each([
  ["curl api.test/a", { method: "GET", url: "http://api.test/a", body: undefined }],
  ["curl -XDELETE https://api.test/a", { method: "DELETE" }],
  ["curl -sSL -I https://api.test/a", { method: "HEAD", unread: [] }],
  ["curl https://api.test/a -d a=1 -d b=2", { method: "POST", body: "a=1&b=2" }],
  [
    "curl -G https://api.test/a -d a=1 --data-urlencode 'b=x y'",
    { url: "https://api.test/a?a=1&b=x+y", body: undefined },
  ],
  [`curl https://api.test/a --json '{"a":1}'`, { method: "POST", body: '{"a":1}' }],
  ["curl -u tom:secret https://api.test/a", { hasPassword: true, headers: [] }],
  ["curl -k --proxy p:1 https://api.test/a", { unread: ["--insecure", "--proxy"] }],
  ["curl --data-binary @book.json https://api.test/a", { unread: ["the file book.json"] }],
  [
    "curl -F 'cover=@/tmp/c.png;type=image/png' -F title=Dune https://api.test/a",
    {
      method: "POST",
      parts: [
        { name: "cover", value: "", fileName: "c.png", mediaType: "image/png" },
        { name: "title", value: "Dune", fileName: "", mediaType: "" },
      ],
    },
  ],
])("%s", (command, expected) => {
  expect(read(command)).toMatchObject(expected);
});

test("an incomplete command is refused with a message", () => {
  expect(read("wget https://api.test")).toBe("The command has to start with curl.");
  expect(read("curl -X GET")).toBe("The command contains no URL.");
  expect(read("curl 'https://api.test")).toBe("Unclosed quote. Paste the whole command.");
});

test("the command that the portal writes for a sent request reads back as that request", () => {
  const body = '{"name":"O\'Hara $HOME"}';
  const headers: [string, string][] = [["Content-Type", "application/json"]];
  const url = "https://api.test/books/7?ids[]=1";
  const command = curlOfSent({ method: "PUT", url, headers, body, bodyBytes: body.length });
  expect(read(command)).toMatchObject({ method: "PUT", url, headers, body, unread: [] });
});
