import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import { migrateSchema } from "../../kit/database/migrate.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { purgeExpired } from "../jobs/purge.ts";
import { migrations } from "../store/migrations.ts";
import { type SecurityDatabase, type SecurityTables, schemaName } from "../store/tables.ts";
import { solveProofOfWork } from "../testing/proof-of-work.ts";
import { createProofOfWork } from "./proof-of-work.ts";

const secretsKey = "a key for tests";
const read = (token: string) => JSON.parse(Buffer.from(token, "base64").toString());
const write = (proof: unknown) => Buffer.from(JSON.stringify(proof)).toString("base64");

for (const engine of testEngines()) {
  let database: Database;
  let db: SecurityDatabase;
  let clock: ReturnType<typeof movableClock>;
  beforeAll(async () => {
    database = await engine.open();
    await migrateSchema(database, schemaName, migrations);
    db = database.inSchema<SecurityTables>(schemaName);
  });
  afterAll(() => database.close());
  beforeEach(() => {
    clock = movableClock(new Date());
  });

  test(`${engine.name}: a proof of work is accepted once across replicas, also when it is sent fifty times at once`, async () => {
    const here = createProofOfWork({ db, clock, secretsKey });
    const elsewhere = createProofOfWork({ db, clock, secretsKey });
    const token = await solveProofOfWork(await here.ask());
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, (_, number) => (number % 2 ? here : elsewhere).judge(token, undefined)),
    );
    expect(verdicts.filter((verdict) => verdict === "right")).toHaveLength(1);
    expect(await elsewhere.judge(token, undefined)).toBe("wrong");
  });

  test(`${engine.name}: a proof is valid for twenty minutes, and spent ones are deleted after that`, async () => {
    const check = createProofOfWork({ db, clock, secretsKey });
    const [early, late] = await Promise.all([check.ask(), check.ask()]).then((requested) =>
      Promise.all(requested.map(solveProofOfWork)),
    );
    clock.advance(19 * 60_000);
    expect(await check.judge(early as string, undefined)).toBe("right");
    clock.advance(60_000);
    expect(await check.judge(late as string, undefined)).toBe("wrong");
    await purgeExpired(db, clock.now());
    expect(await db.selectFrom("spent_human_checks").selectAll().execute()).toEqual([]);
    expect(await check.judge(early as string, undefined)).toBe("wrong");
  });

  test(`${engine.name}: proofs that were altered, guessed or made with another installation's key are refused`, async () => {
    const check = createProofOfWork({ db, clock, secretsKey });
    const token = await solveProofOfWork(await check.ask());
    const proof = read(token);
    const { challenge, solution } = proof;
    const parameters = { ...challenge.parameters };
    const flip = (text: string) => `${text.startsWith("0") ? "1" : "0"}${text.slice(1)}`;
    const forged = [
      { challenge, solution: { ...solution, derivedKey: flip(solution.derivedKey) } },
      { challenge, solution: { ...solution, derivedKey: parameters.keyPrefix } },
      { challenge, solution: { counter: 0, derivedKey: "00" } },
      { challenge: { ...challenge, parameters: { ...parameters, expiresAt: parameters.expiresAt + 60 } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution },
      { challenge: { ...challenge, parameters: { ...parameters, keySignature: undefined } }, solution },
      { challenge: { ...challenge, signature: flip(challenge.signature) }, solution },
      { challenge: { ...challenge, signature: undefined }, solution },
      { challenge: { parameters, signature: "" }, solution },
      { challenge, solution: null },
      { challenge: null, solution },
      [],
      null,
      "x",
    ].map(write);
    const stranger = createProofOfWork({ db, clock, secretsKey: "another key" });
    forged.push(await solveProofOfWork(await stranger.ask()));
    forged.push("x", "%%%", "[".repeat(8_000), Buffer.from("[".repeat(6_000)).toString("base64"));
    for (const one of forged) expect(await check.judge(one, undefined)).toBe("wrong");
    expect(await check.judge(token, undefined)).toBe("right");
  });
}
