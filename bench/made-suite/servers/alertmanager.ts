import { createAlertmanager } from "../../../tests/support/foreign-servers.ts";
import { type MeasuredServer, NotInstallable } from "../measured-server.ts";
import { requireOk } from "../require-ok.ts";

const later = "2099-01-01T00:00:00Z";

/** Creates a silence and an alert that belong to another client. */
async function fill(api: string): Promise<void> {
  const post = async (path: string, body: object) =>
    requireOk(
      await fetch(api + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const matchers = [{ name: "service", value: "billing", isRegex: false, isEqual: true }];
  const silence = { matchers, startsAt: new Date().toISOString(), endsAt: later, createdBy: "Ada", comment: "Move" };
  await post("/silences", silence);
  await post("/alerts", [{ labels: { alertname: "DiskFull", service: "orders" }, endsAt: later }]);
}

/** Prometheus' Alertmanager from Debian's package prometheus-alertmanager, which has its document compiled into it. */
export const alertmanager: MeasuredServer = {
  name: "alertmanager",
  async start() {
    const server = await createAlertmanager().catch((error: unknown) => {
      throw new NotInstallable(`Debian's prometheus-alertmanager is not to be had: ${String(error)}`);
    });
    await server.start();
    const origin = `http://${server.host}`;
    const api = `${origin}/api/v2`;
    await fill(api);
    return {
      origin,
      documentFor: (address) => server.document.replaceAll(server.host, new URL(address).host),
      async readState() {
        const read = async (path: string) => (await fetch(api + path)).json() as Promise<Record<string, unknown>[]>;
        const [silences, alerts] = [await read("/silences"), await read("/alerts")];
        return new Map([
          ...silences.map((one) => [`silence ${one.id}`, JSON.stringify(one)] as const),
          ...alerts.map((one) => [`alert ${one.fingerprint}`, JSON.stringify([one.labels, one.endsAt])] as const),
        ]);
      },
      async stop() {
        await server.stop();
        server.remove();
      },
    };
  },
};
