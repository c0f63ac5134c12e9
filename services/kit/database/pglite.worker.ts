import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

/**
 * PGlite runs in its own thread: a long statement would otherwise block every page that the process serves.
 * Receives packets of PostgreSQL's wire protocol and sends one packet for each, in order. Once open, it sends an empty
 * one unprompted.
 */
export type Packet = Uint8Array<ArrayBuffer>;

export interface EmbeddedEngineOptions {
  /** In memory if undefined. */
  dataDirectory: string | undefined;
  /** An empty database to copy; without one the engine creates its own, in seconds and with 900 MB of memory. */
  template: string | undefined;
}

const { dataDirectory, template } = workerData as EmbeddedEngineOptions;
const port = parentPort!;

/**
 * The engine's memory never shrinks, and it touches all of its buffers when it starts: the default of 128 MB costs that
 * at every start. Pages that don't fit are read from the kernel's cache. After a kill, at most `max_wal_size` is
 * replayed.
 */
const settings = ["shared_buffers=16MB", "max_connections=5", "max_wal_size=128MB"];

async function openDatabase(): Promise<PGlite> {
  // Passed in, since the engine retains the 9 MB that it reads and compiles itself.
  const program = await readFile(new URL("./pglite.wasm", import.meta.resolve("@electric-sql/pglite")));
  return await PGlite.create(dataDirectory ?? "memory://", {
    pgliteWasmModule: await WebAssembly.compile(program),
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])],
  });
}

/** The template may be world-readable and read-only; a database is accessible to its owner only. */
function copyTemplate(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

/**
 * A process killed while the folder is first written leaves one that does not open again (measured: between PG_VERSION
 * and pg_control). The marker file next to it says that nothing was ever stored in it, so that it can be recreated; a
 * folder without the marker is never removed.
 */
async function createDatabase(directory: string): Promise<PGlite> {
  const mark = `${directory}.unfinished`;
  if (existsSync(mark)) rmSync(directory, { recursive: true, force: true });
  if (!existsSync(directory)) {
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
    writeFileSync(mark, "");
    if (template && existsSync(template)) copyTemplate(template, directory);
  }
  const opened = await openDatabase();
  rmSync(mark, { force: true });
  return opened;
}

const database = dataDirectory ? await createDatabase(dataDirectory) : await openDatabase();

// Everything is in memory: with the default of 4, meant for disks, a table of thousands of rows is scanned for the
// hundred rows that one batch names.
await database.exec("set random_page_cost = 1.1");

function respond(packet: Packet): void {
  port.postMessage(packet, [packet.buffer]);
}

/** Completes before it returns; the response comes in pieces of the engine's memory. */
async function run(packet: Packet): Promise<void> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const onRawData = (piece: Uint8Array) => {
    pieces.push(piece.slice());
    size += piece.length;
  };
  await database.execProtocolRawStream(packet, { syncToFs: false, onRawData });
  const answered = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    answered.set(piece, offset);
    offset += piece.length;
  }
  respond(answered);
}

let previous: Promise<unknown> = Promise.resolve();
port.on("message", (message: Packet | "close") => {
  previous = previous.then(async () => {
    if (message !== "close") return await run(message);
    await database.close();
    port.postMessage("closed");
    port.close();
  });
});
respond(new Uint8Array(0));
