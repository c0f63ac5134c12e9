import { z } from "zod";
import { usernameKey } from "../services/security-service/domain/username.ts";
import { databaseVariables, natsVariables } from "./shared-state-variables.ts";
import { telemetryVariables } from "./telemetry-variables.ts";
import { variable } from "./variable.ts";
import {
  addressesOrRanges,
  egressAllow,
  httpAddress,
  list,
  origin,
  seconds,
  sender,
  wholeNumber,
} from "./variable-kinds.ts";

export const processParts = ["portal", "worker", "scheduler"] as const;

const serviceAddress = (name: string, service: string) =>
  variable(name, httpAddress, {
    unset: "in this process",
    meaning: `where ${service} runs elsewhere (\`node build/process/services/${service}/main.js\`)`,
  });

/** Every environment variable, declared once: the reference's table, the types and the values derive from it. */
export const variables = {
  port: variable("PORT", wholeNumber(0, 65_535, "needs a port number from 0 to 65535"), {
    default: "3000",
    meaning: "where to listen",
  }),
  host: variable("HOST", z.string(), { default: "127.0.0.1", meaning: "the address to listen on" }),
  internalPort: variable("INTERNAL_PORT", wholeNumber(0, 65_535, "needs a port number from 0 to 65535"), {
    unset: "no services run alone, or all six",
    meaning:
      "where a portal's own services [serve those that run alone](../operations.md#processes), each at `/<its name>`",
  }),
  publicUrl: variable("PUBLIC_URL", origin, {
    unset: "loopback names only",
    meaning:
      "where users reach the portal, e.g. `https://portal.example.com`; links, cookies and origin checks follow it, never `Host`",
  }),
  trustedProxies: variable("TRUSTED_PROXIES", addressesOrRanges, {
    default: "",
    meaning: "addresses or ranges whose `X-Forwarded-For` is believed",
  }),
  dataDirectory: variable("DATA_DIRECTORY", z.string(), {
    default: "data",
    meaning: "secrets of this installation, and the embedded database",
  }),
  databaseUrl: variable(
    "DATABASE_URL",
    z.url({
      protocol: /^postgres(ql)?$/,
      error: "needs a PostgreSQL address, e.g. postgresql://user:password@host:5432/name",
    }),
    { unset: "embedded", meaning: "PostgreSQL 15 or newer instead, e.g. `postgresql://user:password@host/name`" },
  ),
  maximumConnections: variable(
    "MAXIMUM_CONNECTIONS",
    wholeNumber(10, 1_000_000, "needs a number of connections from 10 to 1000000"),
    { default: "2000", meaning: "open at the same time at most; one more closes the one that was idle longest" },
  ),
  dataReserveMegabytes: variable(
    "DATA_RESERVE_MEGABYTES",
    wholeNumber(0, 1_000_000, "needs a number of megabytes from 0 to 1000000"),
    {
      default: "128",
      meaning:
        "with less room on the data folder's disk the embedded database stores nothing more, and health is red; 0 sets no limit",
    },
  ),
  database: databaseVariables,
  nats: natsVariables,
  secretsKey: variable(
    "SECRETS_KEY",
    z.string().min(32, { error: "needs at least 32 random characters, e.g. from: openssl rand -base64 32" }),
    {
      unset: "made in the data folder",
      meaning: "at least 32 random characters; needed with `DATABASE_URL`, the same in every process",
    },
  ),
  previousSecretsKeys: variable(
    "SECRETS_KEY_PREVIOUS",
    z
      .string()
      .refine((text) => text === "" || text.length >= 32, {
        error: "needs keys of at least 32 characters, separated by commas",
      })
      // A key may contain commas, so the whole text also counts as one; a text that is no key opens nothing.
      .transform((text) => (text === "" ? [] : [text, ...(text.includes(",") ? list(text) : [])])),
    {
      default: "",
      meaning:
        "keys that open what `SECRETS_KEY` has not sealed, while it is [changed](../operations.md#changing-the-key)",
    },
  ),
  run: variable(
    "RUN",
    z
      .string()
      .transform(list)
      .pipe(z.array(z.enum(processParts, { error: "needs a list of portal, worker and scheduler" })).min(1)),
    {
      default: processParts.join(","),
      meaning: "what this process does; with PostgreSQL, many processes share the work",
    },
  ),
  administrator: {
    username: variable(
      "ADMIN_USERNAME",
      z
        .string()
        .max(100, { error: "needs at most 100 characters" })
        .refine((name) => usernameKey(name) !== undefined, { error: "needs a name of printable characters" }),
      { default: "admin", meaning: "the first administrator; only the first start reads it" },
    ),
    password: variable(
      "ADMIN_PASSWORD",
      z
        .string()
        .min(8, { error: "needs at least 8 characters" })
        .max(1_000, { error: "needs at most 1,000 characters" }),
      { unset: "created at first start", meaning: "the first administrator's; only the first start reads it" },
    ),
    email: variable(
      "ADMIN_EMAIL",
      z
        .email({ error: "needs an email address, e.g. ana@example.com" })
        .max(254, { error: "needs at most 254 characters" }),
      {
        unset: "asked for on the dashboard",
        meaning: "the first administrator's, for password resets; only the first start reads it",
      },
    ),
  },
  egressAllow: variable("EGRESS_ALLOW", egressAllow, {
    unset: "loopback (embedded), nothing (PostgreSQL)",
    meaning:
      "private targets that tests and imports may reach, e.g. `10.0.0.1:8080, api.internal:443, 10.2.0.0/16:8080, loopback`",
  }),
  mail: {
    url: variable(
      "MAIL_URL",
      z.url({
        protocol: /^smtps?$/,
        error: "needs a mail server's address, e.g. smtp://user:password@mail.example.com:587",
      }),
      {
        unset: "a local mailbox (embedded), no mail (PostgreSQL)",
        meaning: "mail server, e.g. `smtp://user:password@mail.example.com:587`",
      },
    ),
    from: variable(
      "MAIL_FROM",
      z.string().regex(sender, { error: "needs a sender, e.g. API Assurance <portal@example.com>" }),
      {
        unset: "needed with `MAIL_URL`",
        meaning: "sender of every email, e.g. `API Assurance <portal@example.com>`",
      },
    ),
    contact: variable("CONTACT_ADDRESS", z.email({ error: "needs an email address, e.g. contact@example.com" }), {
      unset: "the address in `MAIL_FROM`",
      meaning: "where messages from visitors go",
    }),
  },
  recaptcha: {
    siteKey: variable("RECAPTCHA_SITE_KEY", z.string(), {
      unset: "a proof of work, no third party",
      meaning: "the human check of forms open to everyone",
    }),
    secret: variable("RECAPTCHA_SECRET", z.string(), {
      unset: "needed with `RECAPTCHA_SITE_KEY`",
      meaning: "the secret that belongs to it",
    }),
    verifyUrl: variable("RECAPTCHA_VERIFY_URL", httpAddress, {
      default: "https://www.google.com/recaptcha/api/siteverify",
      meaning: "where a provider other than Google responds (hCaptcha, Turnstile, your own)",
    }),
    scriptUrl: variable("RECAPTCHA_SCRIPT_URL", httpAddress, {
      default: "https://www.google.com/recaptcha/api.js",
      meaning: "that provider's script",
    }),
  },
  paypal: {
    clientId: variable("PAYPAL_CLIENT_ID", z.string(), {
      unset: "a sandbox in its place (embedded), nothing is sold (PostgreSQL)",
      meaning: "the PayPal account that collects payments",
    }),
    clientSecret: variable("PAYPAL_CLIENT_SECRET", z.string(), {
      unset: "needed with `PAYPAL_CLIENT_ID`",
      meaning: "the secret that belongs to it",
    }),
    webhookId: variable("PAYPAL_WEBHOOK_ID", z.string(), {
      unset: "needed with `PAYPAL_CLIENT_ID`",
      meaning: "the webhook of that account that leads to `/api/portal-service/api/v1/paypal/webhooks`",
    }),
    apiUrl: variable("PAYPAL_API_URL", httpAddress, {
      default: "https://api-m.paypal.com",
      meaning: "`https://api-m.sandbox.paypal.com` for PayPal's own sandbox",
    }),
  },
  serviceDeadlineSeconds: variable("SERVICE_DEADLINE_SECONDS", seconds(1), {
    default: "10",
    meaning:
      "how long a call between portal and services may take; what waits for a run or reads a document may take longer",
  }),
  metricsToken: variable("METRICS_TOKEN", z.string().min(16, { error: "needs at least 16 random characters" }), {
    unset: "`/metrics` is available only on this machine",
    meaning: "bearer token for reading `/metrics` from anywhere",
  }),
  secretsEnvironmentPrefix: variable(
    "CREDENTIALS_ENVIRONMENT_PREFIX",
    z.string().regex(/^[A-Z][A-Z0-9_]{5,50}_$/, {
      error: "needs a prefix of at least 7 characters that ends with _, e.g. ASSURANCE_SECRET_",
    }),
    {
      unset: "no credential has its secret in the environment",
      meaning:
        "how variables begin whose values [credentials of any organization](../secrets.md#the-environment-of-the-worker) may use, e.g. `ASSURANCE_SECRET_`",
    },
  ),
  metricsCircles: variable("METRICS_CIRCLES", wholeNumber(0, 2_000, "needs a number of circles from 0 to 2000"), {
    default: "100",
    meaning: "circles with series of their own at `/metrics`; the rest is summed as `other`",
  }),
  telemetry: telemetryVariables,
  logLevel: variable(
    "LOG_LEVEL",
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "needs one of trace, debug, info, warn, error, fatal, silent",
    }),
    { default: "info", meaning: "the least that is logged: `trace` to `fatal`, or `silent`" },
  ),
  serviceUrls: {
    "security-service": serviceAddress("SECURITY_SERVICE_URL", "security-service"),
    "portal-service": serviceAddress("PORTAL_SERVICE_URL", "portal-service"),
    "api-registry": serviceAddress("API_REGISTRY_URL", "api-registry"),
    "test-registry": serviceAddress("TEST_REGISTRY_URL", "test-registry"),
    "test-executioner": serviceAddress("TEST_EXECUTIONER_URL", "test-executioner"),
    "test-analyzer": serviceAddress("TEST_ANALYZER_URL", "test-analyzer"),
  },
};
