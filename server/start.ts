import { resolve } from "node:path";
import { lockFolder } from "../services/kit/lock/folder-lock.ts";
import { parseConfiguration } from "./configuration.ts";
import { keepPrivate, makePrivately } from "./data-folder.ts";
import type { PageSource } from "./pages.ts";

/** Starts this process as the environment says, with pages of the build unless others are given. */
export async function start(pages?: PageSource): Promise<void> {
  makePrivately();
  const configuration = parseConfiguration(process.env);
  const lock = configuration.databaseUrl ? undefined : await lockFolder(resolve(configuration.dataDirectory));
  const openness = keepPrivate(resolve(configuration.dataDirectory));
  if (openness) process.stderr.write(`${openness}\n`);
  // Loading everything takes half a second of work: a wrong variable and a folder in use are told of before it.
  const { runTogether } = await import("./run-together.ts");
  await runTogether(configuration, lock, pages);
}
