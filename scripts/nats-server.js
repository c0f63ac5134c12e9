import { existsSync } from "node:fs";
import { installFromDebian } from "./debian.js";

const program = "/usr/sbin/nats-server";

/** Debian's NATS server, as operators run it. */
export function findNatsServer() {
  if (!existsSync(program)) installFromDebian(["nats-server"]);
  return program;
}
