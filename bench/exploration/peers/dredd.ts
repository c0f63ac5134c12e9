import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installPackage } from "../../made-suite/installed-package.ts";
import type { FaultyServer } from "../servers/faulty-server.ts";
import { addResponseExamples } from "./examples.ts";
import type { Peer } from "./peer.ts";

interface Tried {
  title: string;
  message?: string;
}

type Dredd = new (configuration: object) => { run(done: (error: Error | null) => void): void };

const version = "14.1.0";

/**
 * Dredd. To its advantage: `--sorted`, so that deletions come last; responses of the faultless server as examples, since
 * it compares with these; and the document in OpenAPI 3.0, which it reads, the same but for `nullable`.
 */
export const dredd: Peer = {
  name: "Dredd",
  async install() {
    const load = createRequire(join(installPackage("dredd", version), "package.json"));
    const Tool = load("dredd") as Dredd;
    load("dredd/build/reporters/reporterOutputLogger").default.transports.console.silent = true;
    const documents = new Map<string, Promise<string>>();
    const write = async (described: FaultyServer) => JSON.stringify(toOpenApi30(await addResponseExamples(described)));

    return async (described, { origin }) => {
      const { apiKey } = described;
      const written = documents.get(described.name) ?? write(described);
      documents.set(described.name, written);
      const failures: string[] = [];
      const emitter = new EventEmitter();
      emitter.on("test fail", ({ title, message = "" }: Tried) => failures.push(`${title}: ${message.trim()}`));
      emitter.on("test error", (error: Error, { title }: Tried) => failures.push(`${title}: ${error.message}`));
      const tool = new Tool({
        ...{ endpoint: origin, path: [], sorted: true, loglevel: "silent", emitter, reporter: [], color: false },
        apiDescriptions: [{ location: "openapi.json", content: await written }],
        header: apiKey ? [`${apiKey.header}: ${apiKey.key}`] : [],
      });
      await new Promise<void>((resolve, reject) => tool.run((error) => (error ? reject(error) : resolve())));
      return failures;
    };
  },
};

function toOpenApi30(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(toOpenApi30);
  if (typeof part !== "object" || part === null) return part;
  const written = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, toOpenApi30(value)]));
  if (written.openapi === "3.1.0") written.openapi = "3.0.3";
  if (Array.isArray(written.type)) {
    written.type = written.type.find((type) => type !== "null");
    written.nullable = true;
  }
  return written;
}
