import { randomUUID } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Imported, ImportLoss, ImportPreview } from "#contracts/test-registry/imports.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { countOf } from "../report/words.ts";
import { connect } from "./access-file.ts";
import { find } from "./find.ts";

export interface ImportFlags {
  api?: string;
  newApi?: string;
  format?: string;
  environment?: string;
  unmatched?: true;
  toApi?: true;
  circles: boolean;
  dryRun?: true;
  yes?: true;
  json?: true;
}

type ReviewedEnvironment = ImportPreview["apiEnvironments"][number];

interface SentFile {
  name: string;
  text?: string;
  base64?: string;
}

/** `staging.env` has variables of Hurl; a `.env` is anyone's. */
const readable = /\.(json|ya?ml|bru|hurl|http|rest|har|zip)$|(^|[\\/])[^\\/.][^\\/]*\.env$/i;
/** As the portal takes them. */
const maxBytes = 10_000_000;

/** Shows what files would create and lose, and imports them once that is confirmed. The portal reads the files. */
export async function importFiles(paths: readonly string[], flags: ImportFlags): Promise<ExitCode> {
  if ((flags.api === undefined) === (flags.newApi === undefined))
    throw new CommandError(
      exitCodes.usage,
      "Say where to: --api <name>, or --new-api <name> to create an API from the requests.",
    );
  const files = await readAll(paths);
  const connection = await connect();
  const apiId = flags.api === undefined ? undefined : (await find(connection, "api", flags.api)).id;
  const body = {
    ...{ source: { files }, apiId, apiName: flags.newApi, format: flags.format, environment: flags.environment },
    ...{
      unmatched: flags.unmatched === true || apiId === undefined,
      toApi: flags.toApi === true,
      circles: flags.circles,
    },
  };
  const send = <Result>(path: string, more: object, headers?: Record<string, string>) =>
    connection.call<Result>("test-registry", path, {
      body: { ...body, ...more },
      ...(headers ? { headers } : { onlyReads: true }),
    });
  const preview = await send<ImportPreview>("/api/v1/imports/preview", {});
  if (flags.dryRun) {
    if (flags.json) process.stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
    else writePreview(preview);
    return exitCodes.passed;
  }
  if (!flags.json) writePreview(preview);
  if (!(await isConfirmed(flags))) {
    process.stderr.write("Nothing was imported.\n");
    return exitCodes.passed;
  }
  const imported = await send<Imported>("/api/v1/imports", {}, { "idempotency-key": randomUUID() });
  if (flags.json) process.stdout.write(`${JSON.stringify(imported, null, 2)}\n`);
  else {
    const { tests, changedTests, circles, changedCircles, environments, credentials, apiName } = imported;
    const counts = [
      countOf(tests.length, "test"),
      countOf(circles.length, "circle"),
      ...(environments.length > 0 ? [countOf(environments.length, "environment")] : []),
      countOf(credentials.length, "credential"),
    ];
    const changedCounts = `${countOf(changedTests.length, "test")} and ${countOf(changedCircles.length, "circle")}`;
    const changed = changedTests.length + changedCircles.length > 0 ? `; changed ${changedCounts}` : "";
    process.stdout.write(
      `Imported into ${apiName}: ${counts.join(", ")}${changed}.\n${connection.access.url}/test-management/${imported.apiId}/tests\n`,
    );
  }
  return exitCodes.passed;
}

async function readAll(paths: readonly string[]): Promise<SentFile[]> {
  const files: SentFile[] = [];
  let total = 0;
  for (const path of paths) {
    for (const { file, name } of await listFiles(path)) {
      const bytes = await readFile(file);
      total += bytes.length;
      if (total > maxBytes)
        throw new CommandError(
          exitCodes.usage,
          `More than ${maxBytes / 1_000_000} MB in one import. Import fewer files.`,
        );
      const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
      files.push(isZip ? { name, base64: bytes.toString("base64") } : { name, text: bytes.toString("utf8") });
    }
  }
  if (files.length > 0) return files;
  throw new CommandError(exitCodes.usage, `No file of a collection in ${paths.join(", ")}.`);
}

/** A file, or the files below a folder. */
async function listFiles(path: string): Promise<{ file: string; name: string }[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new CommandError(exitCodes.usage, `There is no file ${path}.`);
  if (!found.isDirectory()) return [{ file: path, name: path.split(sep).join("/") }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && readable.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(^|[\\/])(node_modules|\.git)[\\/]/.test(file))
    .sort()
    .map((file) => ({ file, name: relative(path, file).split(sep).join("/") }));
}

function writePreview(preview: ImportPreview): void {
  const { api, requests, circles, apiEnvironments, credentials, losses, format, name } = preview;
  const count = (state: string) => requests.filter((request) => request.state === state).length;
  const known = count("unchanged") + count("edited") + count("exists");
  const lines = [
    `${name} (${format}): ${countOf(requests.length, "request")}`,
    ...(api ? [`  into ${api.name}`] : []),
    `  ${countOf(count("new"), "new test")}, ${count("changed")} changed, ${known} there already, ${count("unmatched")} of no operation, ${count("unusable")} not possible`,
    ...requests.map(describeRequest),
    ...circles.map(
      (circle) =>
        `${marks[circle.state]} circle ${circle.name}: ${countOf(circle.members, "test")}${notes[circle.state]}`,
    ),
    ...apiEnvironments.map(describeEnvironment),
    ...credentials.map(
      ({ name: credential, domain, isNew }) => `${isNew ? "+" : "="} credential ${credential}, for ${domain} alone`,
    ),
    ...losses.map(describeLoss),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

const marks: Record<ImportPreview["requests"][number]["state"], string> = {
  ...{ new: "+", changed: "~", unchanged: "=", edited: "!", exists: "=" },
  ...{ unmatched: " ", left_out: " ", unusable: " " },
};
const notes: Record<ImportPreview["requests"][number]["state"], string> = {
  ...{ new: "", changed: ", changed", unchanged: ", unchanged", exists: ", there already" },
  edited: ", changed in the portal, too, and left as it is there",
  ...{ unmatched: ", of no operation", left_out: ", left out", unusable: ", not possible" },
};

function describeRequest({ state, folders, name, file, line }: ImportPreview["requests"][number]): string {
  const position = line > 0 ? `${file}:${line}` : file;
  return `${marks[state]} test ${[...folders, name].join(" / ")}${notes[state]}  ${position}`;
}

function describeEnvironment({ state, name, baseUrl, variables, secretVariables }: ReviewedEnvironment): string {
  const secret = secretVariables.length > 0 ? `, secret ${secretVariables.join(", ")}` : "";
  const holds = `${countOf(variables.length, "variable")}${secret}`;
  return `${marks[state]} environment ${name}: ${baseUrl}, ${holds}${notes[state]}`;
}

const describeLoss = ({ file, line, of, what, reason }: ImportLoss) =>
  `${[file, line > 0 ? line : ""].filter((part) => part !== "").join(":") || of}: ${what}: ${reason}`;

async function isConfirmed({ yes, json }: ImportFlags): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || json)
    throw new CommandError(
      exitCodes.usage,
      "Nothing was imported: --yes imports without asking, --dry-run only shows.",
    );
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question("Import this? [y/N] ")).trim());
  } finally {
    prompt.close();
  }
}
