/**
 * An exploration of servers with seeded faults, beside StepCI and Dredd. Each of the faults in
 * `exploration/servers` is switched on alone; it is found if a finding is of its kind and at its operation, or, with the
 * others, if a run reports a failure that it does not report without the fault. Without faults, each finding is a false
 * alarm. Prints the table of docs/exploration.md; `--list` adds each finding's sentence, `--alone` leaves out the others.
 *
 *     npm run bench:exploration [-- --list --alone] [names of servers or faults …]
 *
 * The others are installed on demand, below `node_modules/.cache`; one that can't be is left out with a sentence.
 */
import { createEngine } from "./exploration/engine.ts";
import { exploreServer, findFor, maxRequests, seed } from "./exploration/ours.ts";
import { dredd } from "./exploration/peers/dredd.ts";
import { listNew, type PeerRun, type RunPeer, runPeer } from "./exploration/peers/peer.ts";
import { stepCi } from "./exploration/peers/stepci.ts";
import { faultyServers, type SeededFault, seededFaults } from "./exploration/servers/all-servers.ts";
import { type Attempted, type OurAttempt, type Row, toSentence, toTable, toTotal } from "./exploration/table.ts";
import { NotInstallable } from "./made-suite/measured-server.ts";

/** Faults of which the exploration is repeated, to see that the same seed gives the same. */
const repeated = ["price-maximum-ignored", "empty-labels", "text-truncated", "cancelled-not-deleted"];
const repetitions = 2;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const words = process.argv.slice(2);
const isListed = words.includes("--list");
const isAlone = words.includes("--alone");
const wanted = words.filter((word) => !word.startsWith("--"));
const isWanted = ({ id, server }: SeededFault) =>
  wanted.length === 0 || wanted.includes(id) || wanted.includes(server.name);
const chosen = seededFaults.filter(isWanted);
const servers = faultyServers.filter((server) => chosen.some((fault) => fault.server === server));

const engine = createEngine();
let falseAlarms = 0;

print(`Seed ${seed}, at most ${maxRequests} requests. Without faults:`);
for (const server of servers) {
  const { findings, requests, milliseconds } = await exploreServer(engine, server, []);
  print(`- ${server.name}: ${requests} requests in ${milliseconds} ms, ${findings.length} false alarms`);
  for (const finding of findings) print(`  - ${toSentence(finding)}`);
  falseAlarms += findings.length;
}

const installed = new Map<string, RunPeer>();
for (const peer of isAlone ? [] : [stepCi, dredd]) {
  try {
    installed.set(peer.name, await peer.install());
  } catch (error) {
    if (!(error instanceof NotInstallable)) throw error;
    print(`${peer.name} is left out: ${error.message}`);
  }
}
const faultless = new Map<string, PeerRun>();
for (const [name, run] of installed)
  for (const server of servers) faultless.set(`${name} ${server.name}`, await runPeer(run, server, []));

const rows: Row[] = [];
for (const fault of chosen) {
  const ours = await explore(fault);
  const peers = new Map<string, Attempted>();
  for (const [name, run] of installed) {
    const result = await runPeer(run, fault.server, [fault.id]);
    const [found] = listNew(result, faultless.get(`${name} ${fault.server.name}`)!);
    peers.set(name, { ...result, found });
  }
  rows.push({ fault, ours, peers });
}

let differing = 0;
for (const { fault, ours } of rows.filter((row) => repeated.includes(row.fault.id))) {
  for (let round = 0; round < repetitions; round++) {
    const again = await explore(fault);
    if (again.sentences.join("\n") !== (ours as Explored).sentences.join("\n")) differing++;
  }
}
await engine.stop();

print("");
for (const line of toTable(rows, [...installed.keys()])) print(line);
print("");
print(
  toTotal(
    "Exploration",
    rows.map(({ ours }) => ours),
  ),
);
for (const name of installed.keys())
  print(
    toTotal(
      name,
      rows.map(({ peers }) => peers.get(name)!),
    ),
  );
print(`${falseAlarms} false alarms without faults; ${differing} explorations with the same seed found something else.`);
process.exit(0);

interface Explored extends OurAttempt {
  sentences: string[];
}

async function explore(fault: SeededFault): Promise<Explored> {
  const { findings, requests } = await exploreServer(engine, fault.server, [fault.id]);
  const finding = findFor(fault, findings);
  const sentences = findings.map(toSentence);
  if (isListed) {
    print(`\n${fault.server.name}, ${fault.id}: ${fault.what}`);
    for (const one of findings) print(`- ${one === finding ? "found" : "also"} ${toSentence(one)}`);
    if (!finding) print("- not found");
  }
  const found = finding && toSentence(finding);
  const { requests: until = requests, milliseconds = 0 } = finding ?? {};
  return { finding, found, requests: until, milliseconds, allRequests: requests, sentences };
}
