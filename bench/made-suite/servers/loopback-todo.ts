import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createForeignServer } from "../../../tests/support/foreign-servers.ts";
import { installPackage } from "../installed-package.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { readJson } from "../require-ok.ts";

/** LoopBack's to-do list from npm, which serves its own document. It has four rows, and takes any id that is sent. */
export const loopbackTodo: MeasuredServer = {
  name: "loopback-todo",
  async start() {
    const program = installPackage("@loopback/example-todo", "6.0.0");
    // It reads and writes `./data/db.json`.
    const folder = mkdtempSync(join(tmpdir(), "portal-todo-"));
    cpSync(join(program, "data"), join(folder, "data"), { recursive: true });
    const { host, start, stop } = await createForeignServer(() => [process.execPath, program], "/openapi.json", {
      environment: { HOST: "127.0.0.1" },
      cwd: folder,
    });
    await start();
    const origin = `http://${host}`;
    const document = await (await fetch(`${origin}/openapi.json`)).text();
    return {
      origin,
      documentFor: (address) => document.replaceAll(origin, address),
      async readState() {
        const todos = await readJson<{ id: number }[]>(await fetch(`${origin}/todos`));
        return new Map(todos.map((todo) => [`to-do ${todo.id}`, JSON.stringify(todo)]));
      },
      async stop() {
        await stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
