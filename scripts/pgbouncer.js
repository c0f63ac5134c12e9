import { existsSync } from "node:fs";
import { installFromDebian } from "./debian.js";

const program = "/usr/sbin/pgbouncer";

/** Debian's PgBouncer, as operators put it in front of PostgreSQL. */
export function findPgBouncer() {
  if (!existsSync(program)) installFromDebian(["pgbouncer"]);
  return program;
}
