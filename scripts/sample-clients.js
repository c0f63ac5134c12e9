import { spawnSync } from "node:child_process";
import { installFromDebian } from "./debian.js";

/** Python whose `requests` is Debian's, where it is installed. */
const debianPython = "/usr/bin/python3";
const hasRequests = (python) => spawnSync(python, ["-c", "import requests"]).status === 0;

/** The programs that run code samples: curl, and a Python that has `requests`. */
export function findSampleClients() {
  const missing = [];
  if (spawnSync("curl", ["--version"]).status !== 0) missing.push("curl");
  const python = ["python3", debianPython].find(hasRequests);
  if (python === undefined) missing.push("python3-requests");
  if (missing.length > 0) installFromDebian(missing);
  return { python: python ?? debianPython };
}
