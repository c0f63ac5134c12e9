import type { TargetCheckReason } from "./system-action.server";

/** Queues, ordered by depth. */
const queueWords: Record<string, string> = {
  "test-executions": "Test executions",
  "test-analyzer-alerts": "Alerts",
  "test-analyzer-letters": "Mail of alerts",
  "security-service-letters": "Mail of accounts and invitations",
  "portal-service-letters": "Mail of billing and contact",
  "portal-service-billing-letters": "Letters about subscriptions",
};

export const queueName = (name: string) => queueWords[name] ?? name;

/** Why a request is allowed or blocked. */
export const reasonWords: Record<TargetCheckReason, string> = {
  listed: "The list of allowed targets names it.",
  loopback: "It is an address of this machine, and those are allowed here.",
  public: "It is a public address and an ordinary port.",
  no_address: "What the name server answered is no address.",
  metadata: "It is the metadata service of a cloud, which hands out credentials. Nothing opens it.",
  own: "It is this portal itself. Only naming exactly this address and port among the allowed targets opens it.",
  port: "The port is one of a database, a shell or another service that is no API. Naming host and port among the allowed targets opens it.",
  loopback_closed: "It is an address of this machine. Naming it among the allowed targets opens it.",
  private: "It is a private or reserved address. Naming it with its port among the allowed targets opens it.",
  invalid_url: "The URL can't be sent to.",
  unknown_name: "The host name does not exist, or has no address.",
};
