/**
 * `npm run seed`: fills the administrator's organization with an example, on a data folder not in use by a process.
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { decodeJwt } from "jose";
import { lockFolder } from "../services/kit/lock/folder-lock.ts";
import { createLog } from "../services/kit/log/log.ts";
import { refuseStart, StartRefused } from "../services/kit/service/start-refused.ts";
import { type Configuration, parseConfiguration } from "./configuration.ts";
import { keepPrivate, makePrivately } from "./data-folder.ts";
import { type ExampleBackend, registerExample, removeExample, runTwice } from "./example/make-example.ts";
import { completeExample, isExampleComplete, startExampleShop } from "./example/shop-process.ts";
import { writeHistory } from "./example/write-history.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { type Wiring, wire } from "./wiring.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function seed(): Promise<void> {
  makePrivately();
  const configuration = parseConfiguration(process.env);
  const folder = resolve(configuration.dataDirectory);
  const lock = configuration.databaseUrl ? undefined : await lockFolder(folder);
  keepPrivate(folder);
  const log = createLog("warn");
  const installation = await openInstallation(configuration.dataDirectory, configuration.secretsKey);
  const nowhere = { portalOrigin: () => configuration.publicUrl ?? "", ownAddress: () => "" };
  const wiring = await wire({ configuration, installation, log, ownTargets: [], ...nowhere });
  try {
    await fill(configuration, installation, wiring);
  } finally {
    await wiring.stopServices();
    await wiring.close();
    await lock?.release();
  }
}

async function fill(configuration: Configuration, installation: Installation, wiring: Wiring): Promise<void> {
  const { token, organizationId } = await signIn(configuration, installation, wiring);
  const { connections, database } = wiring;
  // What a signed-in user starts is manual, and opens no incident.
  const serviceToken = await wiring.portalToken(organizationId);
  const backend: ExampleBackend = {
    apiRegistry: connections.apiRegistry({ token }),
    testRegistry: connections.testRegistry({ token }),
    testExecutioner: connections.testExecutioner({ token: serviceToken }),
    testAnalyzer: connections.testAnalyzer({ token }),
  };
  if (await isExampleComplete(configuration.dataDirectory)) {
    return say("The example shop is there already. Start the portal and look at it.");
  }
  await removeExample(backend);
  const shop = await startExampleShop(configuration.dataDirectory);
  try {
    await requireReachable(wiring, shop.base);
    const example = await registerExample(backend, shop, "Every hour", "7 * * * *");
    const runIds = await runTwice(backend, shop, example);
    const { schedule, testCircleId } = example;
    const history = { runIds, schedule, testCircleId, organizationId, now: new Date() };
    const runs = await writeHistory(database, backend, history);
    await completeExample(configuration.dataDirectory);
    say(`The example shop is registered, with its tests, a circle, a schedule, an incident and ${runs} earlier runs.`);
    say(`It is available at ${shop.base} while the portal runs: npm run dev, or npm start.`);
    say(`Sign in as ${configuration.administrator.username}.`);
    const made = installation.newAdministratorPassword();
    if (made) say(`The password is ${made} (kept in ${resolve(installation.administratorPasswordFile)})`);
  } finally {
    await shop.close();
  }
}

async function signIn(
  { administrator }: Configuration,
  { administratorPasswordFile }: Installation,
  { connections }: Wiring,
) {
  const stored = await readFile(administratorPasswordFile, "utf8").catch(() => "");
  const password = administrator.password ?? stored.trim();
  const headers = { username: encodeURIComponent(administrator.username), password: encodeURIComponent(password) };
  const result = await connections.securityService().login({ headers });
  if (!result.ok || !("accessToken" in result.value)) {
    throw new StartRefused(
      `The example belongs to the organization of ${administrator.username}, who can't be signed in with the password of the first start. Set ADMIN_PASSWORD to the present one.`,
    );
  }
  const { accessToken } = result.value;
  return { token: accessToken, organizationId: decodeJwt<{ org: string }>(accessToken).org };
}

/** Tests reach this machine only if configured. */
async function requireReachable({ egress }: Wiring, base: string): Promise<void> {
  const { isAllowed } = await egress.check(base);
  if (isAllowed) return;
  const { host } = new URL(base);
  throw new StartRefused(
    `The example shop runs at ${host}, which tests may not reach here. Add ${host} to EGRESS_ALLOW, for this and for the portal.`,
  );
}

seed().then(() => process.exit(0), refuseStart);
