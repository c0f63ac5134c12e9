import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { doorFiles, noDoors, privateTargets } from "./support/doors.ts";

interface Seen {
  connected: string[];
  requests: number;
  lookups: number;
}
type Report = Record<string, { control: Seen; rebinding: Seen; redirected: Record<string, Seen> }>;

const publicAddress = "93.184.216.34";
const doorNames = Object.values(doorFiles).flat();
let report: Report;

/** See `libraries/egress/production-network.test.ts` for what this requires. */
beforeAll(async () => {
  const script = fileURLToPath(new URL("./support/doors-in-production.ts", import.meta.url));
  const steps = [
    "ip link set lo up",
    "ip route add local 0.0.0.0/0 dev lo",
    "ip -6 route add local ::/0 dev lo",
    'exec "$0" --import tsx "$1"',
  ];
  const shell = ["--map-root-user", "--net", "sh", "-ec", steps.join("\n"), process.execPath, script];
  const { stdout } = await promisify(execFile)("unshare", shell);
  report = JSON.parse(stdout) as Report;
});

test("G08: every file that imports the egress library is listed, as a door or with the reason why it is none", () => {
  const folders = ["services", "server", "app", "cli", "libraries", "sandbox"];
  const importing = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => !/\.test\.tsx?$|\/testing\/|^libraries\/egress\//.test(file))
    .filter((file) => /from "[^"]*egress\/(egress|fetch-document)\.ts"/.test(readFileSync(file, "utf8")));
  expect(importing.sort()).toEqual([...Object.keys(doorFiles), ...Object.keys(noDoors)].sort());
  expect(Object.keys(report)).toEqual([...doorNames]);
});

test.each(doorNames)("G08: %s is sent for to a public address", (name) => {
  const { connected, requests } = report[name]!.control;
  expect(connected).toEqual([publicAddress]);
  expect(requests).toBeGreaterThan(0);
});

test.each(doorNames)(
  "G08: %s connects to no private address when its name leads there from the second time on",
  (name) => {
    const { connected, lookups } = report[name]!.rebinding;
    expect(connected).toEqual([publicAddress]);
    // Later lookups returned the private address, and were refused.
    expect(lookups).toBeGreaterThan(1);
  },
);

test.each(doorNames)("G08: %s connects to no private address that a public server redirects to", (name) => {
  const { redirected } = report[name]!;
  expect(Object.keys(redirected)).toEqual([...privateTargets]);
  for (const [target, { connected, requests }] of Object.entries(redirected)) {
    expect([target, connected]).toEqual([target, [publicAddress]]);
    expect(requests).toBeGreaterThan(0);
  }
});
