import type { TargetCheckReason } from "./system-action.server";

/** Queues, ordered by depth. */
const queueWords: Record<string, string> = {
  "test-executions": "Test executions",
  "test-analyzer-alerts": "Alerts",
  "test-analyzer-letters": "Alert emails",
  "security-service-letters": "Account and invitation emails",
  "portal-service-letters": "Billing and contact emails",
  "portal-service-billing-letters": "Subscription emails",
};

export const queueName = (name: string) => queueWords[name] ?? name;

/** Why a request is allowed or blocked. */
export const reasonWords: Record<TargetCheckReason, string> = {
  listed: "The allowed targets include it.",
  loopback: "It is an address of this machine, and those are allowed here.",
  public: "It is a public address and an ordinary port.",
  no_address: "The DNS response is not an address.",
  metadata: "It is a cloud metadata service, which hands out credentials. It can't be permitted.",
  own: "It is this portal itself. Add exactly this address and port to the allowed targets to permit it.",
  port: "The port belongs to a database, a shell or another service that is not an API. Add host and port to the allowed targets to permit it.",
  loopback_closed: "It is an address of this machine. Add it to the allowed targets to permit it.",
  private: "It is a private or reserved address. Add it with its port to the allowed targets to permit it.",
  invalid_url: "The URL can't be sent to.",
  unknown_name: "The host name does not exist, or has no address.",
};
