import { existsSync } from "node:fs";
import { installFromDebian } from "./debian.js";

const program = "/usr/sbin/nginx";

/** Debian's nginx, as operators put it in front of portals. */
export function findNginx() {
  if (!existsSync(program)) installFromDebian(["nginx-light"]);
  return program;
}
