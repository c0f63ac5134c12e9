import { existsSync } from "node:fs";
import { installFromDebian } from "./debian.js";

const program = "/usr/bin/prometheus-alertmanager";

/** Prometheus' Alertmanager: a third-party server for the portal to test. */
export function findAlertmanager() {
  if (!existsSync(program)) installFromDebian(["prometheus-alertmanager"]);
  return program;
}
