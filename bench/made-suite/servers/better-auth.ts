import { setTimeout as pause } from "node:timers/promises";
import { createAuthServer } from "../../../tests/support/foreign-servers.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { readJson } from "../require-ok.ts";

const account = { name: "Ada", email: "ada@example.org", password: "turquoise-herring-4711" };
const noProvider = "no social provider is set up";
const noMail = "sends a mail, and none is set up";

/** Better Auth from npm, in memory; it serves its own document. */
export const betterAuth: MeasuredServer = {
  name: "better-auth",
  async start() {
    const server = createAuthServer();
    const { host, start, stop } = await server;
    await start();
    const origin = `http://${host}`;
    const post = (path: string, body: object) =>
      fetch(`${origin}/api/auth${path}`, {
        method: "POST",
        // fetch says that it is a browser, of which Better Auth wants to know the page.
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify(body),
      });
    const { token } = await readJson<{ token: string }>(await post("/sign-up/email", account));
    const document = await (await fetch(`${origin}/api/auth/open-api/generate-schema`)).text();
    return {
      origin,
      documentFor: (address) => document.replaceAll(origin, address),
      credentials: [{ type: "bearer", settings: {}, secret: token, schemeName: "bearerAuth" }],
      unreachable: {
        "post /sign-in/social": noProvider,
        "post /link-social": noProvider,
        "post /unlink-account": noProvider,
        "post /refresh-token": noProvider,
        "post /get-access-token": noProvider,
        "get /account-info": noProvider,
        "get /callback/{id}": noProvider,
        "post /request-password-reset": noMail,
        "post /reset-password": noMail,
        "get /reset-password/{token}": noMail,
        "get /verify-email": noMail,
        "post /send-verification-email": noMail,
        "get /delete-user/callback": noMail,
      },
      async readState() {
        let signedIn = await post("/sign-in/email", account);
        // It takes three in ten seconds.
        while (signedIn.status === 429) {
          await pause(2_000);
          signedIn = await post("/sign-in/email", account);
        }
        const { user } = (await signedIn.json()) as { user?: { id: string; name: string; email: string } };
        const headers = { authorization: `Bearer ${token}` };
        const session = (await (await fetch(`${origin}/api/auth/get-session`, { headers })).json()) as object | null;
        return new Map([
          ["Ada's account", JSON.stringify(user && [user.id, user.name, user.email])],
          ["Ada's session", String(session !== null)],
        ]);
      },
      stop,
    };
  },
};
