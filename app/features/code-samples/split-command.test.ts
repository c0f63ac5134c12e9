import { expect, test } from "vitest";
import { readCurl } from "./read-curl.ts";
import { splitCommand } from "./split-command.ts";

const read = (command: string) => {
  const { request, error } = readCurl(command) as { request: { url: URL }; error?: string };
  return error ?? { ...request, url: request.url.href };
};

/** Pasted text as a form sends it. */
const pasted = (command: string) => command.replaceAll("\n", "\r\n");

const fromChrome = String.raw`curl ^"https://api.test/books/7?lang=en^&q=a^%^20b^&ids^\[^\]=1^" ^
  -X ^"PUT^" ^
  -H ^"accept: application/json^" ^
  -H ^"content-type: application/json^" ^
  -b ^"session=abc; theme=dark^" ^
  -H ^"sec-ch-ua: ^\^"Chromium^\^";v=^\^"142^\^", ^\^"Not_A Brand^\^";v=^\^"99^\^"^" ^
  --data-raw ^"^{^\^"title^\^":^\^"O'Hara ^^ 100^%^\^",^\^"note^\^":^\^"a^\^\nb^\^",^\^"empty^\^":^\^"^\^"^}^"`;

test.each([
  ["as it is copied", fromChrome],
  ["as a form sends it", pasted(fromChrome)],
])("a command that Chrome copies for cmd.exe is read without carets, %s", (_, command) => {
  expect(read(command)).toMatchObject({
    method: "PUT",
    url: "https://api.test/books/7?lang=en&q=a%20b&ids[]=1",
    headers: [
      ["accept", "application/json"],
      ["content-type", "application/json"],
      ["sec-ch-ua", '"Chromium";v="142", "Not_A Brand";v="99"'],
    ],
    cookies: [
      ["session", "abc"],
      ["theme", "dark"],
    ],
    body: String.raw`{"title":"O'Hara ^ 100%","note":"a\nb","empty":""}`,
    unread: [],
  });
});

const overLines = String.raw`curl ^"https://api.test/books^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^

  ^\^"path^\^": ^\^"C:^\^\^\^\x^\^"^

^}^"`;

test.each([overLines, pasted(overLines)])("a body of several lines keeps its line breaks", (command) => {
  expect(read(command)).toMatchObject({
    method: "POST",
    body: String.raw`{
  "path": "C:\\x"
}`,
  });
});

test("commands that Chrome copied until 2023 have carets between plain quotes", () => {
  const command = String.raw`curl "https://trello.test/1/cards?a=1&b=2" ^
  -H "sec-ch-ua: ^\^"Chromium^\^";v=^\^"88^\^"" ^
  --data-raw "^{^\^"name^\^":^\^"hello world^\^",^\^"labels^\^":^[^]^}" ^
  --compressed`;
  expect(read(command)).toMatchObject({
    url: "https://trello.test/1/cards?a=1&b=2",
    headers: [
      ["sec-ch-ua", '"Chromium";v="88"'],
      ["content-type", "application/x-www-form-urlencoded"],
    ],
    body: '{"name":"hello world","labels":[]}',
    unread: [],
  });
});

test("commands that Firefox copies for Windows are read, with the current carets and the earlier doubled quotes", () => {
  const now = String.raw`curl ^"https://api.test/books^" ^
  --compressed ^
  -X POST ^
  -H ^"User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0^" ^
  -H ^"Content-Type: application/json^" ^
  --data-raw ^"^{^\^"a^\^":^\^"50^% off^\^"^}^"`;
  const before = `curl "https://api.test/books" --compressed -X POST -H "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0" -H "Content-Type: application/json" --data-raw "{""a"":""50"%" off""}"`;
  for (const command of [now, before]) {
    expect(read(command)).toMatchObject({
      method: "POST",
      headers: [
        ["User-Agent", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0"],
        ["Content-Type", "application/json"],
      ],
      body: '{"a":"50% off"}',
      unread: [],
    });
  }
});

test.each([
  [String.raw`C:\Windows\System32\curl.exe https://api.test/a -d "{\"a\":\"x\"}"`, { body: '{"a":"x"}' }],
  [String.raw`"C:\Program Files\curl\CURL.EXE" https://api.test/a`, { url: "https://api.test/a" }],
  ['curl ^\n  -H "x-tag: 1^2" ^\n  https://api.test/a', { headers: [["x-tag", "1^2"]] }],
  ["curl https://api.test/a?b=1^&c=2 ^\n  -I", { method: "HEAD", url: "https://api.test/a?b=1&c=2" }],
])("%s, typed for cmd.exe, is parsed as cmd.exe parses it", (command, expected) => {
  expect(read(command)).toMatchObject(expected);
});

test.each([
  [`curl https://api.test -d '{"re":"^","none":""}'`, ["curl", "https://api.test", "-d", '{"re":"^","none":""}']],
  [`curl "https://api.test" -d '{"none":""}'`, ["curl", "https://api.test", "-d", '{"none":""}']],
  [`curl "https://api.test" \\\n  -d "{\\"a\\":\\"\\"}"`, ["curl", "https://api.test", "-d", '{"a":""}']],
  [`curl -d "" "https://api.test"`, ["curl", "-d", "", "https://api.test"]],
])("%s is still parsed for a POSIX shell", (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

test.each([
  '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -UseBasicParsing -Uri "https://api.test" `\n-WebSession $session',
  'Invoke-WebRequest -UseBasicParsing -Uri "https://api.test"',
  'curl.exe "https://api.test" `\n  -H "accept: text/plain"',
])("a command for PowerShell is refused with a message", (command) => {
  expect(read(command)).toBe("This command is for PowerShell. In the browser, choose “Copy as cURL” instead.");
});

test("an unclosed quote is reported for a Windows command too", () => {
  expect(read('curl ^"https://api.test ^\n  -I')).toBe("Unclosed quote. Paste the whole command.");
});
