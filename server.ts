import { resolve } from "node:path";
import { parseConfiguration } from "./server/configuration.ts";
import { keepPrivate, makePrivately } from "./server/data-folder.ts";
import { lockFolder } from "./services/kit/lock/folder-lock.ts";
import { refuseStart } from "./services/kit/service/start-refused.ts";

async function start(): Promise<void> {
  makePrivately();
  const configuration = parseConfiguration(process.env);
  const lock = configuration.databaseUrl ? undefined : await lockFolder(resolve(configuration.dataDirectory));
  const openness = keepPrivate(resolve(configuration.dataDirectory));
  if (openness) process.stderr.write(`${openness}\n`);
  // Loading everything takes half a second of work: a wrong variable and a folder in use are told of before it.
  const { runTogether } = await import("./server/run-together.ts");
  await runTogether(configuration, lock);
}

start().catch(refuseStart);
