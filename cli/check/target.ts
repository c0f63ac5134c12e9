import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { findTokenUrl } from "#libraries/openapi/scheme-words.ts";
import { isAddress } from "../document/open-egress.ts";
import { type ReadDocument, readDocument } from "../document/read-document.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Locate } from "../report/locating.ts";
import type { Terminal } from "../report/terminal.ts";
import { countOf } from "../report/words.ts";
import { parseVariables } from "../variables.ts";
import { Credentials } from "./credentials.ts";
import { createEngine, type RunOne } from "./engine.ts";
import { type ClientFlags, chooseTokenUrl, readCertificate, readClient } from "./given-clients.ts";

/** Options of every command that sends requests to an API. */
export interface TargetFlags extends ClientFlags {
  url?: string;
  token?: string;
  apiKey?: string;
  basic?: string;
  header: string[];
  variable: string[];
  only: string[];
}

/** A document with the server that is held against it. */
export interface Target {
  document: ReadDocument;
  baseUrl: string;
  credentials: Credentials;
  variables: Record<string, string>;
  runOne: RunOne;
  locate: Locate;
  /** Aborted when the user stops the command. */
  signal: AbortSignal;
  isWanted(operation: Pick<DescribedOperation, "method" | "path" | "operationId" | "tags">): boolean;
}

/**
 * Opens document and engine for a command, and closes the engine after it.
 * @throws CommandError for what the options lack
 */
export async function withTarget(
  source: string,
  flags: TargetFlags,
  terminal: Terminal,
  work: (target: Target) => Promise<ExitCode>,
): Promise<ExitCode> {
  const variables = parseVariables(flags.variable);
  const url = flags.url === undefined ? undefined : parseUrl(flags.url);
  const client = readClient(flags, process.env);
  const certificate = readCertificate(flags, process.env);
  const addresses = [url, isAddress(source) ? source : undefined, client?.tokenUrl];
  const engine = createEngine(addresses.filter((one) => one !== undefined));
  const stopping = new AbortController();
  const stop = () => stopping.abort(new CommandError(exitCodes.notJudged, "Stopped."));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    const document = await readDocument(source, engine.egress);
    const baseUrl = url ?? requireUrl(document);
    writeProblems(terminal, document);
    const schemes = document.inspection.securitySchemes;
    const [named] = schemes.flatMap((scheme) => findTokenUrl(scheme) ?? []);
    const given = {
      ...{ ...toSecrets(flags), certificate },
      client: client && { ...client, tokenUrl: chooseTokenUrl(client.tokenUrl, named, baseUrl) },
    };
    const credentials = new Credentials(given, schemes);
    return await work({
      ...{ document, baseUrl, credentials, variables, signal: stopping.signal },
      runOne: engine.connect({ baseUrl, input: document.input, credentials, variables }),
      locate: createLocate(document, isAddress(source) ? undefined : source),
      isWanted: createFilter(flags.only),
    });
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
    await engine.stop();
  }
}

/** What is wrong with the document itself: tests may not mean what its authors think. */
function writeProblems(terminal: Terminal, { name, problems }: ReadDocument): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  for (const { file, line, column, message } of errors.slice(0, 5))
    terminal.write(terminal.color("yellow", `! ${file ?? name}:${line}:${column}  ${message}\n`));
  if (errors.length > 5)
    terminal.write(terminal.color("yellow", `! and ${countOf(errors.length - 5, "other error")}\n`));
}

/** Options are seen by other users of the machine; the environment is not. */
function toSecrets({ token, apiKey, basic, header }: TargetFlags) {
  const { API_TOKEN, API_KEY, API_BASIC } = process.env;
  return { token: token ?? API_TOKEN, apiKey: apiKey ?? API_KEY, basic: basic ?? API_BASIC, headers: header };
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash)
    return text.replace(/\/+$/, "");
  throw new CommandError(
    exitCodes.usage,
    `--url takes the address of the API, such as http://localhost:8080/v1, got "${text}".`,
  );
}

function requireUrl({ inspection: { servers } }: ReadDocument): never {
  const [named] = servers.flatMap(({ resolvedUrl }) => resolvedUrl ?? []);
  const example = named ?? "http://localhost:8080";
  const said = named ? ` The document names ${named}.` : "";
  throw new CommandError(
    exitCodes.usage,
    `Add --url: where the API runs. Requests that create, change and delete what they created are sent there.${said} For example: --url ${example}`,
  );
}

/** Operations by a part of "GET /books", by operationId or by tag. */
function createFilter(only: readonly string[]) {
  const wanted = only.map((text) => text.toLowerCase());
  return (operation: { method: string; path: string; operationId: string | null; tags: string[] }): boolean => {
    if (wanted.length === 0) return true;
    const name = `${operation.method} ${operation.path}`.toLowerCase();
    const names = [operation.operationId ?? "", ...operation.tags].map((one) => one.toLowerCase());
    return wanted.some((text) => name.includes(text) || names.includes(text));
  };
}

function createLocate(document: ReadDocument, file: string | undefined): Locate {
  return (operation) => {
    const position = file === undefined ? undefined : document.locate(operation);
    return position && { ...position, file: file! };
  };
}
