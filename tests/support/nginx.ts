import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findNginx } from "../../scripts/nginx.js";
import { startCommand } from "./program.ts";
import { ask } from "./raw-request.ts";

/** nginx with the example of `docs/operations.md`, on this port, without TLS, before portals on these ports. */
export async function startNginx(port: number, portalPorts: [number, number]) {
  const [, example] = /^```nginx\n(.*?)^```/ms.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
  if (!example) throw new Error("docs/operations.md has no example for nginx");
  const server = example
    .replace("portal-1:3000", `127.0.0.1:${portalPorts[0]}`)
    .replace("portal-2:3000", `127.0.0.1:${portalPorts[1]}`)
    .replace(/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_certificate.*$/gm, "");
  const folder = mkdtempSync(join(tmpdir(), "portal-nginx-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const configuration = join(folder, "nginx.conf");
  writeFileSync(
    configuration,
    `daemon off; worker_processes 2; pid ${join(folder, "pid")}; error_log stderr;
    events { worker_connections 512; }
    http { access_log off; ${temporary.join(" ")}
    ${server}
    }`,
  );
  const program = startCommand([findNginx(), "-p", folder, "-c", configuration]);
  const origin = `http://127.0.0.1:${port}`;
  while ((await ask(origin, "/metrics").catch(() => undefined))?.status !== 404) {
    if (program.process.exitCode !== null) throw new Error(program.output());
    await pause(20);
  }
  return {
    origin,
    output: program.output,
    async stop() {
      program.process.kill("SIGTERM");
      await program.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
