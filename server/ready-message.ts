import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Configuration } from "./configuration.ts";
import type { Installation } from "./installation.ts";

/** For the operator at the terminal: the portal's address and how to sign in. */
export function readyMessage(configuration: Configuration, port: number, installation: Installation): string {
  const listening = listeningAddress(configuration.host, port);
  const isPortal = configuration.run.includes("portal");
  const lines =
    isPortal && configuration.publicUrl
      ? [`The portal is ready at ${configuration.publicUrl} (listening on ${listening})`]
      : [`The ${isPortal ? "portal" : configuration.run.join("-and-")} is ready at ${listening}`];
  if (isPortal) lines.push(...signInLines(configuration, installation));
  if (isPortal && !configuration.publicUrl && !/^(localhost|127\..*|::1)$/.test(configuration.host)) {
    lines.push("It responds only under names of this machine until PUBLIC_URL is set to the address users open.");
  }
  if (!configuration.databaseUrl) {
    lines.push(
      `Everything is kept in the folder ${resolve(configuration.dataDirectory)} (embedded database, one process).`,
    );
    if (isPortal && !configuration.smtp)
      lines.push(`Emails are also stored here: read them at ${configuration.publicUrl ?? listening}/sandbox/mail`);
    if (configuration.egressAllow === undefined)
      lines.push("Requests to this machine's own loopback addresses are allowed; EGRESS_ALLOW changes that.");
  }
  return `${lines.join("\n")}\n`;
}

/** The address for a browser on this machine; a listener on every interface has no name of its own. */
export function listeningAddress(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The password itself is printed once, by the start that created it. */
function signInLines({ administrator }: Configuration, installation: Installation): string[] {
  const { username } = administrator;
  const file = resolve(installation.administratorPasswordFile);
  const made = installation.newAdministratorPassword();
  if (made) return [`Sign in as ${username} with the password ${made}`, `(kept in ${file})`];
  if (existsSync(file)) return [`Sign in as ${username}; the password is in ${file}`];
  return [`Sign in as ${username} with the ADMIN_PASSWORD of the first start.`];
}
