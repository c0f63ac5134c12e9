import { startCluster } from "../../../scripts/postgres.js";
import { createForeignServer } from "../../../tests/support/foreign-servers.ts";
import { installPackage } from "../installed-package.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { readJson } from "../require-ok.ts";

const token = "*:*.a-token-of-this-measurement";

/** What an installation has from its start, by the path of its list and the member with the list. */
const lists: [path: string, member: string, identifier: string][] = [
  ["projects", "projects", "id"],
  ["user-admin", "users", "id"],
  ["api-tokens", "tokens", "tokenName"],
  ["strategies", "strategies", "name"],
  ["context", "", "name"],
  ["tag-types", "tagTypes", "name"],
  ["environments", "environments", "name"],
  ["segments", "segments", "id"],
];

/** Unleash from npm on a PostgreSQL of its own; it serves its own document of over 200 operations. */
export const unleash: MeasuredServer = {
  name: "unleash",
  async start() {
    const program = installPackage("unleash-server", "7.5.1");
    const database = await startCluster();
    const { host, start, stop } = await createForeignServer(
      // A webhook that is deleted while it is called ends the process otherwise.
      () => [process.execPath, "--unhandled-rejections=warn", `${program}/dist/server.js`],
      "/health",
      {
        environment: {
          DATABASE_URL: database.url,
          DATABASE_SSL: "false",
          HTTP_HOST: "127.0.0.1",
          CHECK_VERSION: "false",
          SEND_TELEMETRY: "false",
          ENABLE_OAS: "true",
          LOG_LEVEL: "warn",
          INIT_ADMIN_API_TOKENS: token,
        },
      },
    );
    await start();
    const origin = `http://${host}`;
    const document = await readJson<object>(await fetch(`${origin}/docs/openapi.json`));
    return {
      origin,
      documentFor: (address) => JSON.stringify({ ...document, servers: [{ url: address }] }),
      credentials: [
        {
          type: "apiKey",
          settings: { in: "header", parameterName: "Authorization" },
          secret: token,
          schemeName: "apiKey",
        },
      ],
      async readState() {
        const state = new Map<string, string>();
        for (const [path, member, identifier] of lists) {
          const response = await fetch(`${origin}/api/admin/${path}`, { headers: { authorization: token } });
          const body = await readJson<Record<string, unknown>>(response);
          const items = (member ? body[member] : body) as Record<string, unknown>[];
          for (const item of items) state.set(`${path} ${item[identifier]}`, JSON.stringify(withoutTimes(item)));
        }
        return state;
      },
      async stop() {
        await stop();
        database.stop();
      },
    };
  },
};

/** What a server writes by itself while it is used. */
function withoutTimes(item: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => !/At$|lastReported|usage|Count$|health/i.test(name)),
  );
}
