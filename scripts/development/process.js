import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { context } from "esbuild";
import { bundleOptions, workerThreads } from "../bundle.js";
import { root } from "../prepare.js";

const folder = "build/development";
/** An editor that saves all its files causes one change. */
const settledMilliseconds = 30;
const sources = /^((contracts|libraries|sandbox|server|services)\/|server\.ts$)/;

async function openBundler() {
  rmSync(join(root, folder), { recursive: true, force: true });
  const options = bundleOptions({ start: "server/development/start.ts", ...workerThreads() }, folder);
  return await context({
    ...options,
    absWorkingDir: root,
    external: [...options.external, "vite"],
    define: { "process.env.NODE_ENV": '"development"' },
    minifyWhitespace: false,
    minifySyntax: false,
    metafile: true,
    logLevel: "warning",
  });
}

/**
 * Bundles the portal's process, starts it, and restarts it when one of its files has changed: the old one ends by
 * SIGTERM, so that it closes its database. One that fails to start waits for the next change.
 */
export async function openProcess({ environment, watcher, onMessage, onReady }) {
  const bundler = await openBundler();
  let files = new Set();
  let isBroken = false;
  let child;
  let isStopped = false;

  async function bundle() {
    try {
      const { metafile } = await bundler.rebuild();
      files = new Set(Object.keys(metafile.inputs).map((path) => resolve(root, path)));
      isBroken = false;
      return true;
    } catch {
      // esbuild has printed the errors.
      isBroken = true;
      return false;
    }
  }
  function begin() {
    const started = spawn(process.execPath, ["--enable-source-maps", join(root, folder, "start.js")], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      // Signals of the terminal reach the parent process, which ends this one.
      detached: true,
      env: { ...process.env, ...environment },
    });
    child = started;
    // The response is for the process that sent the request, not for a later one.
    const reply = (message) => started.connected && started.send(message);
    started.on("message", (message) => onMessage(message, reply));
    started.stdout.setEncoding("utf8").on("data", (text) => {
      process.stdout.write(text);
      if (text.includes(" is ready at ")) onReady();
    });
    started.once("exit", (code) => {
      if (child === started && !isStopped) {
        process.stderr.write(`The portal ended (${code}). The next change of a file starts it again.\n`);
      }
    });
  }
  async function end() {
    const ended = child;
    child = undefined;
    if (!ended || ended.exitCode !== null || ended.signalCode !== null) return;
    await new Promise((done) => {
      ended.once("exit", done);
      ended.kill("SIGTERM");
    });
  }

  // One change after the other.
  let work = Promise.resolve();
  const restart = () => {
    work = work.then(async () => {
      if (isStopped || !(await bundle())) return;
      await end();
      if (!isStopped) begin();
    });
  };
  let settling;
  watcher.on("all", (_event, path) => {
    // The files of a failed bundle are unknown.
    const mayMend = (isBroken || !isRunning()) && sources.test(relative(root, path));
    if (!files.has(path) && !mayMend) return;
    clearTimeout(settling);
    settling = setTimeout(restart, settledMilliseconds);
  });
  const isRunning = () => child !== undefined && child.exitCode === null;
  restart();
  await work;

  return {
    send(message) {
      if (isRunning() && child.connected) child.send(message);
    },
    async stop() {
      isStopped = true;
      await work;
      await end();
      await bundler.dispose();
    },
  };
}
