import type { ModuleRunnerTransport } from "vite/module-runner";

type Invoke = NonNullable<ModuleRunnerTransport["invoke"]>;
type Result = Awaited<ReturnType<Invoke>>;

let requested = 0;
const waiting = new Map<number, (result: Result) => void>();

/** Calls Vite in the parent process; responses are matched by the request's number. */
export const askVite: Invoke = (question) =>
  new Promise((resolve) => {
    requested += 1;
    waiting.set(requested, resolve);
    process.send?.({ number: requested, question });
  });

/**
 * Receives the changed files of pages, and confirms them: only then do browsers reload.
 * @param change gets undefined when files were added or removed, so that any module may have changed
 */
export function onChangedFiles(change: (files: string[] | undefined) => void): void {
  process.on("message", (message: { number: number; answer: Result } | { change: number; files?: string[] }) => {
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
