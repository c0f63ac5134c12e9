import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";

interface Report {
  reachableWithoutTheDoor: number;
  blockedUrls: number;
  literals: Record<string, number>;
  reachedByLiterals: string[];
  ordinary: Record<string, number>;
  namedAddresses: number;
  names: Record<string, number>;
  reachedByNames: string[];
  redirects: Record<string, number>;
  reachedByRedirects: string[];
  rebinding: {
    requests: number;
    kinds: string[];
    lookups: number;
    refused: number;
    connections: number;
    reached: string[];
  };
}

let report: Report;

/**
 * Tests the production policy, without exceptions for tests, in a network where every address is reachable. Requires
 * permission to create a network namespace (root, or unprivileged user namespaces) and the commands `unshare` and
 * `ip`; fails without them.
 */
beforeAll(async () => {
  const script = fileURLToPath(new URL("./testing/production-network.ts", import.meta.url));
  const steps = [
    "ip link set lo up",
    "ip route add local 0.0.0.0/0 dev lo",
    "ip -6 route add local ::/0 dev lo",
    'exec "$0" --import tsx "$1"',
  ];
  const { stdout } = await promisify(execFile)("unshare", [
    "--map-root-user",
    "--net",
    "sh",
    "-ec",
    steps.join("\n"),
    process.execPath,
    script,
  ]);
  report = JSON.parse(stdout) as Report;
});

test("S01: special addresses in every spelling are refused, and none is connected to", () => {
  expect(report.reachableWithoutTheDoor).toBe(12);
  expect(report.blockedUrls).toBeGreaterThan(4_000);
  expect(report.literals).toEqual({ target_not_allowed: report.blockedUrls });
  expect(report.reachedByLiterals).toEqual([]);
});

test("S01: ten ordinary public addresses are allowed", () => {
  expect(report.ordinary).toEqual({ 200: 10 });
});

test("S02: names that resolve to special addresses, alone or with a public one, are refused, and none is connected to", () => {
  expect(report.names).toEqual({ target_not_allowed: report.namedAddresses });
  expect(report.reachedByNames).toEqual([]);
});

test("S04: redirects from a public server to special addresses connect to that server only", () => {
  expect(Object.keys(report.redirects)).toEqual(["target_not_allowed"]);
  expect(report.redirects.target_not_allowed).toBeGreaterThan(200);
  expect(report.reachedByRedirects).toEqual(["93.184.216.34"]);
});

test("S03: a rebinding name is resolved once per connection, and only its public address is ever connected to", () => {
  const { requests, kinds, lookups, refused, connections, reached } = report.rebinding;
  expect(requests).toBe(1_000);
  expect(kinds).toEqual(["200", "target_not_allowed"]);
  expect(reached).toEqual(["93.184.216.34"]);
  expect(connections).toBe(20);
  expect(lookups).toBe(connections + refused);
});
