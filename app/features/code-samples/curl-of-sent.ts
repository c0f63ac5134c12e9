import type { SentRequest } from "#contracts/test-executioner/attempts.ts";
import { curlHeader } from "#libraries/code-samples/curl.ts";
import { type FileBody, readFileBody } from "./sent-files.ts";

/** Placeholder of a secret in a stored request. */
const hidden = "[secret]";

/** Headers that curl adds. */
const written = new Set(["host", "content-length", "connection", "transfer-encoding"]);

/**
 * A request as it was sent, for a shell. Each secret is a variable named after its position, such as `$X_API_KEY`, to
 * be set beforehand.
 */
export function curlOfSent(request: SentRequest): string {
  const { method, url, headers, body, bodyBytes } = request;
  const fileBody = readFileBody(request);
  const sent = headers.filter(
    ([name]) =>
      !written.has(name.toLowerCase()) && !(fileBody?.kind === "form" && name.toLowerCase() === "content-type"),
  );
  const isCompressed = sent.some(([name]) => name.toLowerCase() === "accept-encoding");
  // curl takes brackets and braces for a range.
  const globbing = /[[\]{}]/.test(url.replaceAll(hidden, "")) ? " --globoff" : "";
  return [
    `${pipe(fileBody)}curl${methodOption(method, bodyBytes)}${globbing} ${quotedUrl(url)}`,
    ...(isCompressed ? ["--compressed"] : []),
    ...sent
      .filter(([name]) => name.toLowerCase() !== "accept-encoding")
      .map(
        ([name, value]) => `-H ${value.includes(hidden) ? quoted(`${name}: ${value}`, name) : curlHeader(name, value)}`,
      ),
    ...(fileBody ? listFileOptions(fileBody) : bodyBytes === 0 ? [] : [dataOption(body)]),
  ].join(" \\\n  ");
}

/** The command before curl that prints a body with files. */
function pipe(body: FileBody | undefined): string {
  if (body?.kind !== "pieces") return "";
  const commands = body.pieces.map((piece) =>
    "file" in piece
      ? `cat ${quoted(piece.file, "file")}`
      : `printf '%s\\r\\n' ${piece.lines.map((line) => quoted(line, "secret")).join(" ")}`,
  );
  return `{ ${commands.join("; ")}; } | `;
}

function listFileOptions(body: FileBody): string[] {
  if (body.kind === "form") return body.words.map((word) => `-F ${quoted(word, "secret")}`);
  return [`--data-binary ${body.kind === "data" ? quoted(body.word, "file") : "@-"}`];
}

function dataOption(body: string | null): string {
  if (body === null) return "--data-binary @body.bin";
  // curl would take the rest for the name of a file.
  return `${body.startsWith("@") ? "--data-raw" : "--data-binary"} ${quoted(body, "secret")}`;
}

function methodOption(method: string, bodyBytes: number): string {
  if (method === "GET" && bodyBytes === 0) return "";
  // With -X HEAD curl would wait for a body that never comes.
  if (method === "HEAD") return " --head";
  return ` -X ${/^[\w-]+$/.test(method) ? method : quoted(method, "method")}`;
}

/** Within single quotes a shell takes everything literally, except the quote itself. */
function quoted(text: string, secretName: string): string {
  const pieces = text
    .split(hidden)
    .flatMap((part, index) => [
      ...(index > 0 ? [`"$${variableName(secretName)}"`] : []),
      ...(part ? [`'${part.replace(/'/g, "'\\''")}'`] : []),
    ]);
  return pieces.join("") || "''";
}

/** A secret in a query is named after its parameter. */
function quotedUrl(url: string): string {
  const parameter = /[?&]([^=&#]+)=[^&#]*\[secret\]/.exec(url)?.[1];
  return quoted(url, parameter ?? "secret");
}

function variableName(name: string): string {
  const written = name.replace(/\W+/g, "_").toUpperCase();
  return /^[A-Z_]/.test(written) ? written : `_${written}`;
}
