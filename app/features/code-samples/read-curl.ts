import { parseArgs } from "node:util";
import { isForPowerShell, splitCommand } from "./split-command.ts";

export interface CurlPart {
  name: string;
  value: string;
  fileName: string;
  mediaType: string;
}

/** A request parsed from a cURL command. */
export interface CurlRequest {
  method: string;
  url: URL;
  headers: [name: string, value: string][];
  cookies: [name: string, value: string][];
  body: string | undefined;
  parts: CurlPart[];
  /** From `-u`; its value is never read. */
  hasPassword: boolean;
  /** The parts of the command that were ignored. */
  unread: string[];
}

export type ReadCurl = { request: CurlRequest; error?: undefined } | { error: string };

const text = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

const options = {
  request: { ...text, short: "X" },
  url: text,
  header: { ...text, short: "H" },
  data: { ...text, short: "d" },
  "data-raw": text,
  "data-binary": text,
  "data-ascii": text,
  "data-urlencode": text,
  json: text,
  form: { ...text, short: "F" },
  "form-string": text,
  user: { ...text, short: "u" },
  cookie: { ...text, short: "b" },
  "user-agent": { ...text, short: "A" },
  referer: { ...text, short: "e" },
  get: { ...flag, short: "G" },
  head: { ...flag, short: "I" },
  // Not part of the request; known so that their values are not taken for the address.
  output: { ...text, short: "o" },
  "max-time": { ...text, short: "m" },
  "connect-timeout": text,
  proxy: { ...text, short: "x" },
  "cookie-jar": { ...text, short: "c" },
  "write-out": { ...text, short: "w" },
  cacert: text,
  cert: { ...text, short: "E" },
  key: text,
  retry: text,
  resolve: text,
  "upload-file": { ...text, short: "T" },
  config: { ...text, short: "K" },
  compressed: flag,
  location: { ...flag, short: "L" },
  insecure: { ...flag, short: "k" },
  silent: { ...flag, short: "s" },
  "show-error": { ...flag, short: "S" },
  include: { ...flag, short: "i" },
  verbose: { ...flag, short: "v" },
  fail: { ...flag, short: "f" },
  globoff: { ...flag, short: "g" },
} as const;

/** Has no effect on the request as a test sends it, so it is ignored without a notice. */
const harmless = new Set(
  "output max-time connect-timeout cookie-jar write-out retry compressed location silent show-error include verbose fail globoff".split(
    " ",
  ),
);

type Values = { [name in keyof typeof options]?: (string | boolean)[] | string | boolean };

/**
 * Parses a command as written by browsers, tools and documentation, for a POSIX shell or cmd.exe. Nothing in it is run.
 */
export function readCurl(command: string): ReadCurl {
  if (isForPowerShell(command)) {
    return { error: "This command is for PowerShell. In the browser, choose “Copy as cURL” instead." };
  }
  let words: string[];
  try {
    words = splitCommand(command);
  } catch {
    return { error: "Unclosed quote. Paste the whole command." };
  }
  if (!/^(.*[\\/])?curl(\.exe)?$/i.test(words[0] ?? "")) return { error: "The command has to start with curl." };
  const { values, positionals } = parseArgs({ args: words.slice(1), options, strict: false, allowPositionals: true });
  const given = values as Values;
  const address = [...toTexts(given.url), ...positionals][0];
  // Chrome writes `ids\[\]=1` so that curl does not take it for a range.
  const url = address === undefined ? undefined : toUrl(address.replace(/\\([[\]{}])/g, "$1"));
  if (!url) return { error: "The command contains no URL." };

  const data = getData(given);
  const asQuery = given.get === true;
  if (asQuery) for (const [name, value] of new URLSearchParams(data)) url.searchParams.append(name, value);
  const parts = [...toTexts(given.form), ...toTexts(given["form-string"])].map(getPart);
  const body = asQuery ? undefined : data;
  const headers = toTexts(given.header).flatMap(getHeader);
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && !headers.some(([one]) => one.toLowerCase() === name)) headers.push([name, value]);
  };
  add("user-agent", toTexts(given["user-agent"])[0]);
  add("referer", toTexts(given.referer)[0]);
  if (given.json) {
    add("content-type", "application/json");
    add("accept", "application/json");
  } else if (body !== undefined) add("content-type", "application/x-www-form-urlencoded");
  const isCookie = ([name]: [string, string]) => name.toLowerCase() === "cookie";
  const cookies = [...toTexts(given.cookie), ...headers.filter(isCookie).map(([, value]) => value)].flatMap(getCookies);
  const method =
    toTexts(given.request).at(-1) ?? (given.head ? "HEAD" : body !== undefined || parts[0] ? "POST" : "GET");
  return {
    request: {
      method: method.toUpperCase(),
      url,
      headers: headers.filter((header) => !isCookie(header)),
      cookies,
      body,
      parts,
      hasPassword: given.user !== undefined,
      unread: getUnread(given),
    },
  };
}

function toTexts(values: Values[keyof Values]): string[] {
  return (Array.isArray(values) ? values : [values]).filter((value): value is string => typeof value === "string");
}

function toUrl(address: string): URL | undefined {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

function getData(given: Values): string | undefined {
  const plain = (["data", "data-raw", "data-binary", "data-ascii"] as const).flatMap((name) => toTexts(given[name]));
  const encoded = toTexts(given["data-urlencode"]).map((one) => {
    const [, name = "", value = ""] = /^(?:([^=]*)=)?(.*)$/s.exec(one) ?? [];
    return name ? `${name}=${encodeURIComponent(value)}` : encodeURIComponent(value);
  });
  const json = toTexts(given.json);
  if (plain.length + encoded.length + json.length === 0) return undefined;
  return json.length > 0 ? json.join("") : [...plain, ...encoded].join("&");
}

function getHeader(line: string): [string, string][] {
  const [, name, value] = /^([^:;]+)[:;]\s*(.*)$/s.exec(line) ?? [];
  return name ? [[name.trim(), value!]] : [];
}

function getCookies(line: string): [string, string][] {
  return line.split(/;\s*/).flatMap((one): [string, string][] => {
    const at = one.indexOf("=");
    return at > 0 ? [[one.slice(0, at).trim(), one.slice(at + 1)]] : [];
  });
}

/** `file=@book.pdf;type=application/pdf`: the content of the file is not in the command. */
function getPart(form: string): CurlPart {
  const at = form.indexOf("=");
  const [value = "", ...settings] = form.slice(at + 1).split(";");
  const setting = (name: string) =>
    settings
      .find((one) => one.trim().startsWith(`${name}=`))
      ?.replace(/^.*?=/, "")
      .replace(/^"|"$/g, "") ?? "";
  const isFile = value.startsWith("@");
  const fileName = setting("filename") || (isFile ? value.slice(1).replace(/^.*[\\/]/, "") : "");
  return { name: form.slice(0, at), value: isFile ? "" : value, fileName, mediaType: setting("type") };
}

function getUnread(given: Values): string[] {
  const read = new Set<string>(Object.keys(options).slice(0, Object.keys(options).indexOf("output")));
  const others = Object.keys(given).filter((name) => !read.has(name) && !harmless.has(name));
  const files = [...toTexts(given.data), ...toTexts(given["data-binary"])].filter((value) => value.startsWith("@"));
  return [
    ...others.map((name) => (name.length === 1 ? `-${name}` : `--${name}`)),
    ...files.map((file) => `the file ${file.slice(1)}`),
  ];
}
