/**
 * Better Auth as its documentation sets it up, in memory: signing up returns a token, and its OpenAPI document is at
 * `/api/auth/open-api/generate-schema`. Argument: the port.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { toNodeHandler } from "better-auth/node";
import { bearer, openAPI } from "better-auth/plugins";

const port = Number(process.argv[2]);
const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: randomBytes(32).toString("base64"),
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  user: { deleteUser: { enabled: true } },
  plugins: [bearer(), openAPI()],
  telemetry: { enabled: false },
});
createServer(toNodeHandler(auth)).listen(port, "127.0.0.1");
