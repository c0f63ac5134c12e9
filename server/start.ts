import { resolve } from "node:path";
import { lockFolder } from "../services/kit/lock/folder-lock.ts";
import { parseConfiguration } from "./configuration.ts";
import { keepPrivate, makePrivately } from "./data-folder.ts";
import type { PageSource } from "./pages.ts";

/** Starts this process as configured by the environment, with the built pages unless others are given. */
export async function start(pages?: PageSource): Promise<void> {
  makePrivately();
  const configuration = parseConfiguration(process.env);
  const lock = configuration.databaseUrl ? undefined : await lockFolder(resolve(configuration.dataDirectory));
  const openness = keepPrivate(resolve(configuration.dataDirectory));
  if (openness) process.stderr.write(`${openness}\n`);
  // Loading everything takes half a second of CPU time: an invalid variable and a folder in use are reported before
  // it.
  const { runTogether } = await import("./run-together.ts");
  await runTogether(configuration, lock, pages);
}
