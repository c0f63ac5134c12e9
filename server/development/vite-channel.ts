import type { ModuleRunnerTransport } from "vite/module-runner";

type Invoke = NonNullable<ModuleRunnerTransport["invoke"]>;
type Answer = Awaited<ReturnType<Invoke>>;

let asked = 0;
const waiting = new Map<number, (answer: Answer) => void>();

/** Calls Vite in the parent process; responses are matched by the request's number. */
export const askVite: Invoke = (question) =>
  new Promise((resolve) => {
    asked += 1;
    waiting.set(asked, resolve);
    process.send?.({ number: asked, question });
  });

/**
 * Receives the changed files of pages, and confirms them: only then do browsers reload.
 * @param change gets undefined when files were added or removed, so that any module may have changed
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

/** However the parent process ended, this one shuts down as usual, which closes its database. */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
