/**
 * Whether response times reveal that an account exists (A05): sign-in with a wrong password, registration and
 * password reset, 200 times each for a name with an account and one without, alternating, on both engines.
 *
 *     npm run bench:enumeration
 */
import { bothEngines } from "../services/kit/testing/databases.ts";
import { createVisitors } from "../services/security-service/testing/visitors.ts";
import { createSecurityWorld } from "../services/security-service/testing/world.ts";

const pairs = 200;
const warmUps = 20;
const day = 24 * 60 * 60 * 1_000;

function median(milliseconds: number[]): number {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

for (const engine of bothEngines()) {
  const database = await engine.open();
  const world = await createSecurityWorld(database);
  const visitors = await createVisitors(world);
  await visitors.requireMember("known");
  const addresses = { known: "known@example.com", unknown: "other@example.com" };
  const forms: Record<string, { names: typeof addresses; send(name: string): Promise<unknown> }> = {
    "sign-in by username": {
      names: { known: "known", unknown: "other" },
      send: (name) => world.logIn(name, "not the password of anybody"),
    },
    "sign-in by address": {
      names: addresses,
      send: (name) => world.logIn(name, "not the password of anybody"),
    },
    registration: {
      names: addresses,
      send: (email) => visitors.register({ email }),
    },
    "password reset": {
      names: addresses,
      send: visitors.askForReset,
    },
  };
  for (const [form, { names, send }] of Object.entries(forms)) {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let pair = -warmUps; pair < pairs; pair += 1) {
      // The order of the two alternates, and every rate limit is reset.
      for (const kind of pair % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)) {
        const milliseconds = await timed(() => send(names[kind]));
        if (pair >= 0) times[kind].push(milliseconds);
        await visitors.emailsAreSent();
      }
      world.clock.advance(day + 1);
    }
    const [one, other] = [median(times.known), median(times.unknown)];
    const difference = Math.abs(one - other);
    const percent = (100 * difference) / Math.max(one, other);
    const verdict = percent < 5 && difference < 10 ? "ok  " : "FAIL";
    process.stdout.write(
      `${verdict} ${engine.name}, ${form}: ${one.toFixed(2)} ms with an account, ${other.toFixed(2)} ms without; ${difference.toFixed(2)} ms or ${percent.toFixed(1)} % apart (below 10 ms and 5 %)\n`,
    );
    if (verdict === "FAIL") process.exitCode = 1;
  }
  await world.stop();
  await database.close();
}
