/**
 * Runs alone in a network namespace where every IPv4 and IPv6 address is local: public, private and metadata addresses
 * all end at one server that records the address each connection was made to. Prints its observations as one line of
 * JSON.
 */

import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { createEgress, type OutboundRequest, type Resolver } from "../egress.ts";
import { carryIpv4, ipv4Number, spellIpv4, spellIpv6 } from "./address-spellings.ts";

const ports = [80, 443, 8080];
const publicAddress = "93.184.216.34";
const reached: string[] = [];
let redirectTo = "";

const specialIpv4 = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "169.254.170.2",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.175.48.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
];
const specialIpv6 = [
  "::",
  "::1",
  "64:ff9b::5db8:d822",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:2::1",
  "2001:db8::1",
  "2002:5db8:d822::1",
  "2620:4f:8000::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];
const ordinary = [
  publicAddress,
  "8.8.8.8",
  "1.1.1.1",
  "172.32.0.1",
  "223.255.255.1",
  "0x5db8d822",
  "1572395042",
  "0135.0270.0330.042",
  "[2606:2800:220:1:248:1893:25c8:1946]",
  "[2A00:1450:4001::1]",
];

function expandIpv6(text: string): bigint {
  const [head = "", tail = ""] = text.split("::");
  const front = head.split(":").filter(Boolean);
  const back = text.includes("::") ? tail.split(":").filter(Boolean) : [];
  const groups = [...front, ...Array<string>(8 - front.length - back.length).fill("0"), ...back];
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function listBlockedHosts(): string[] {
  const carried = [...specialIpv4, publicAddress].flatMap((address) => carryIpv4(ipv4Number(address)));
  return [
    ...specialIpv4.flatMap((address) => spellIpv4(ipv4Number(address))),
    ...[...specialIpv6.map(expandIpv6), ...carried].flatMap(spellIpv6),
    "localhost",
    "LOCALHOST.",
  ];
}

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer((_incoming, response) => {
    if (redirectTo !== "") response.writeHead(307, { location: Buffer.from(redirectTo).toString("latin1") });
    response.end("reached");
  });
  server.on("connection", (socket) => reached.push(socket.localAddress ?? ""));
  await new Promise<void>((resolve) => server.listen({ port, host, ipv6Only: host === "::" }, resolve));
  return server;
}

function request(url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return { url, method: "GET", headers: [], timeoutMilliseconds: 5_000, maxRedirects: 0, ...changes };
}

function open(resolve?: Resolver) {
  return createEgress({ policy: { allow: [], allowLoopback: false, ownTargets: [] }, resolve });
}

/** Without egress: proves that these addresses lead to the server, so that a refusal is caused by egress. */
async function countReachable(addresses: string[]): Promise<number> {
  let count = 0;
  for (const host of addresses) {
    await new Promise<void>((resolve) => {
      const socket = connect({ host, port: 80 }, () => {
        count += 1;
        socket.destroy();
      });
      socket.on("error", () => resolve()).on("close", () => resolve());
    });
  }
  return count;
}

async function tally(urls: string[], send: (url: string) => Promise<string>): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (const url of urls) {
    const outcome = await send(url);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

async function getOutcome(egress: ReturnType<typeof open>, outbound: OutboundRequest): Promise<string> {
  const result = await egress.send(outbound);
  return result.outcome === "answered" ? String(result.response.status) : result.failure.code;
}

const servers = await Promise.all(ports.flatMap((port) => ["0.0.0.0", "::"].map((host) => listen(port, host))));
const report: Record<string, unknown> = {};
const blockedHosts = listBlockedHosts();
const blockedUrls = ports.flatMap((port) => blockedHosts.map((host) => `http://${host}:${port}/latest/meta-data/`));

report.reachableWithoutTheDoor = await countReachable([
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.168.0.1",
  "198.18.0.1",
  "::1",
  "fd00:ec2::254",
  "2001:db8::1",
  "64:ff9b::a9fe:a9fe",
  "2002:7f00:1::1",
]);
reached.length = 0;

const egress = open();
report.blockedUrls = blockedUrls.length;
report.literals = await tally(blockedUrls, (url) => getOutcome(egress, request(url)));
report.reachedByLiterals = [...new Set(reached)];

report.ordinary = await tally(
  ordinary.map((host) => `http://${host}/`),
  (url) => getOutcome(egress, request(url)),
);
reached.length = 0;

const namedAddresses = [...specialIpv4, ...specialIpv6];
report.namedAddresses = namedAddresses.length;
report.names = await tally(namedAddresses, async (address) => {
  const family = address.includes(":") ? 6 : 4;
  const named = open(async () => [
    { address: publicAddress, family: 4 },
    { address, family },
  ]);
  const mixed = await getOutcome(named, request("http://x.test/"));
  const single = await getOutcome(
    open(async () => [{ address, family }]),
    request("http://x.test/"),
  );
  return mixed === single ? mixed : `${mixed} or ${single}`;
});
report.reachedByNames = [...new Set(reached)];

reached.length = 0;
const hops = open();
const redirectHosts = blockedHosts.filter((_host, index) => index % 7 === 0);
report.redirects = await tally(
  [
    ...redirectHosts.map((host) => `http://${host}:8080/`),
    "//127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http://metadata.google.internal/",
  ],
  (location) => {
    redirectTo = location;
    return getOutcome(hops, request(`http://${publicAddress}/`, { maxRedirects: 5 }));
  },
);
redirectTo = "";
report.reachedByRedirects = [...new Set(reached)];

reached.length = 0;
const lookups = new Map<string, number>();
const rebinding = open(async (name) => {
  const count = (lookups.get(name) ?? 0) + 1;
  lookups.set(name, count);
  return [{ address: count === 1 ? publicAddress : "127.0.0.1", family: 4 }];
});
const outcomes: string[] = [];
let started = 0;
await Promise.all(
  Array.from({ length: 50 }, async () => {
    while (started < 1_000) {
      started += 1;
      outcomes.push(await getOutcome(rebinding, request(`http://name${started % 20}.test/`)));
    }
  }),
);
report.rebinding = {
  requests: outcomes.length,
  kinds: [...new Set(outcomes)].sort(),
  lookups: [...lookups.values()].reduce((sum, count) => sum + count, 0),
  refused: outcomes.filter((outcome) => outcome === "target_not_allowed").length,
  connections: reached.length,
  reached: [...new Set(reached)],
};

for (const server of servers) server.closeAllConnections();
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
