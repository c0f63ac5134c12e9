import type { ModuleRunnerTransport } from "vite/module-runner";

type Invoke = NonNullable<ModuleRunnerTransport["invoke"]>;
type Answer = Awaited<ReturnType<Invoke>>;

let asked = 0;
const waiting = new Map<number, (answer: Answer) => void>();

/** Asks Vite in the process above; it answers by the number of the question. */
export const askVite: Invoke = (question) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    process.send?.({ number: asked, question });
  });

/**
 * Hears which files of pages have changed, and confirms it: then browsers may load them again.
 * @param change gets undefined when files came or went, so that any module may be another
 */
export function onChangedFiles(change: (files: string[] | undefined) => void): void {
  process.on("message", (message: { number: number; answer: Answer } | { change: number; files?: string[] }) => {
    if ("change" in message) {
      change(message.files);
      process.send?.({ change: message.change });
      return;
    }
    waiting.get(message.number)?.(message.answer);
    waiting.delete(message.number);
  });
}

/** However the process above ended, this one ends as it would have been told to: its database is closed. */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
