/** Private addresses in every form that a redirect may give them. `private.test` is a name that leads to one. */
export const privateTargets = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://localhost/",
  "http://10.0.0.1/",
  "http://192.168.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://metadata.google.internal/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[fd00:ec2::254]/",
  "http://[64:ff9b::7f00:1]/",
  "//127.0.0.1/",
  "https://127.0.0.1/",
  "http://private.test/",
] as const;

/** The files that send requests to addresses which users or other servers give, and what they send. */
export const doorFiles = {
  "services/api-registry/jobs/importer.ts": ["a document from an address", "a reference to another file"],
  "services/api-registry/jobs/document-looks.ts": ["a watched document"],
  "libraries/running/sending/sending.ts": ["a test"],
  "libraries/running/sending/access-tokens.ts": ["a token of OAuth 2.0"],
  "services/test-analyzer/jobs/alert-sender.ts": ["an alert's webhook"],
  "services/security-service/single-sign-on/egress-fetch.ts": [
    "discovery of single sign-on",
    "a token of single sign-on",
    "keys of single sign-on",
  ],
  "services/security-service/domain-proof/look-for-proof.ts": ["a domain's proof"],
  "libraries/vault-kv/vault-kv.ts": ["a secret in Vault"],
  "services/security-service/human-check/provider-check.ts": ["the check of visitors"],
} as const;

export type DoorName = (typeof doorFiles)[keyof typeof doorFiles][number];

/** Files that import the egress library and send nothing to an address that the portal's users give. */
export const noDoors: Record<string, string> = {
  "services/portal-service/payment/paypal/paypal-calls.ts": "the operator's address, by a separate egress",
  "services/test-executioner/http/system.ts": "explains a decision and sends nothing",
  // Agents send under an allow-list that is set on their machine; `cli/agent/task-runner.test.ts` has it.
  "cli/agent/run-agent.ts": "an agent's allow-list",
  "cli/agent/allowed-targets.ts": "an agent's allow-list",
  "cli/agent/own-vault.ts": "an agent's allow-list",
  "cli/check/engine.ts": "the user's own machine",
  "cli/document/open-egress.ts": "the user's own machine",
  "cli/document/read-document.ts": "the user's own machine",
  "services/security-service/service.ts": "passes it on",
  "services/security-service/human-check/check.ts": "passes it on",
  "services/security-service/single-sign-on/provider.ts": "passes it on",
  "services/test-analyzer/service.ts": "passes it on",
  "services/api-registry/service.ts": "passes it on",
  "services/test-executioner/service.ts": "passes it on",
  "services/test-executioner/jobs/running-parts.ts": "passes it on",
  "libraries/running/sending/authorizing.ts": "passes it on",
  "libraries/running/sending/preparing.ts": "passes it on",
  "server/payments.ts": "opens it",
  "server/outbound.ts": "opens it",
  "server/run-alone.ts": "passes it on",
  "server/wiring.ts": "passes it on",
};
