import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOfSent } from "./curl-of-sent.ts";

const sent = { method: "GET", url: "https://api.test/books", headers: [], body: null, bodyBytes: 0 };

/** The arguments that a shell passes to curl. */
function getArguments(command: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }; ${command}`;
  return execFileSync("sh", ["-c", script], { env: { ...process.env, ...env }, encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

test("a request is written as it was sent, without the headers that curl adds", () => {
  const headers: [string, string][] = [
    ["Host", "api.test"],
    ["Accept", "application/json"],
    ["Accept-Encoding", "gzip"],
    ["Content-Length", "14"],
  ];
  const body = '{"name":"O\'Hara"}';
  const command = curlOfSent({ ...sent, method: "PUT", headers, body, bodyBytes: body.length });
  expect(getArguments(command)).toEqual([
    ...["-X", "PUT", "https://api.test/books", "--compressed", "-H", "Accept: application/json"],
    ...["--data-binary", body],
  ]);
});

test("a secret is a variable named after its position, and everything else is taken literally", () => {
  const headers: [string, string][] = [
    ["Authorization", "Bearer [secret]"],
    ["X-Api-Key", "[secret]"],
    ["X-Note", "$HOME `id`"],
  ];
  const url = "https://api.test/books?token=[secret]&sort=name";
  const command = curlOfSent({ ...sent, url, headers, body: "key=[secret]!", bodyBytes: 13, method: "POST" });
  expect(command).not.toContain("[secret]");
  const env = { AUTHORIZATION: "a b", X_API_KEY: "k'1", TOKEN: "t", SECRET: "s" };
  expect(getArguments(command, env)).toEqual([
    ...["-X", "POST", "https://api.test/books?token=t&sort=name", "-H", "Authorization: Bearer a b"],
    ...["-H", "X-Api-Key: k'1", "-H", "X-Note: $HOME `id`", "--data-binary", "key=s!"],
  ]);
});

test("special cases get their option: HEAD, brackets, a body that is not stored", () => {
  expect(getArguments(curlOfSent({ ...sent, method: "HEAD" }))).toEqual(["--head", sent.url]);
  expect(getArguments(curlOfSent({ ...sent, url: `${sent.url}?ids[]=1` }))[0]).toBe("--globoff");
  expect(getArguments(curlOfSent({ ...sent, method: "POST", bodyBytes: 9 })).at(-1)).toBe("@body.bin");
});
