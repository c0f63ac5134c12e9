import { parentPort } from "node:worker_threads";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { type Hidden, hideSecrets, type Unhidden } from "./hidden-secrets.ts";

export interface HidingMessage {
  id: number;
  unhidden: Unhidden;
  secrets: KnownSecret[];
}

export interface HidingAnswer {
  id: number;
  hidden: Hidden;
}

const port = parentPort!;
port.on("message", ({ id, unhidden, secrets }: HidingMessage) => {
  port.postMessage({ id, hidden: hideSecrets(unhidden, secrets) } satisfies HidingAnswer);
});
