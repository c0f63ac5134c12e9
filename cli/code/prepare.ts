import { CommandError, exitCodes } from "../exit-codes.ts";
import { connect } from "../portal/access-file.ts";
import type { Connection } from "../portal/connection.ts";
import { warnOfVersion } from "../portal/login.ts";
import { findApiKey } from "./api-key.ts";
import { type CodeRequest, toBase } from "./portal-code.ts";
import { type CodeFiles, defaultFolder, readFiles } from "./read-files.ts";
import { readSecrets } from "./secrets.ts";
import { readState, type State } from "./state-file.ts";

export interface Prepared {
  connection: Connection;
  files: CodeFiles;
  state: State;
  request: CodeRequest;
}

/** Reads the files, and what a plan of them needs. */
export async function prepare(folder: string | undefined, wantedApi: string | undefined): Promise<Prepared> {
  // Files first: what is wrong with them needs no portal.
  const files = await readFiles(folder ?? defaultFolder);
  if (files.objects.length === 0)
    throw new CommandError(exitCodes.usage, `${folder ?? defaultFolder} has no objects. "assurance pull" writes them.`);
  const connection = await connect();
  await warnOfVersion(connection);
  const isHere = files.objects.some(({ kind, key }) => kind === "api" && key === wantedApi);
  const api = wantedApi === undefined || isHere ? wantedApi : await findApiKey(connection, wantedApi);
  const objects =
    api === undefined
      ? files.objects
      : files.objects.filter(({ kind, parent, key }) =>
          kind === "api" ? key === api : kind === "test" && parent === api,
        );
  const state = await readState(files.folder, connection.access.url);
  const base = await toBase(connection, state);
  const secrets = readSecrets(objects, process.env);
  return { connection, files, state, request: { objects, api, base, secrets } };
}
