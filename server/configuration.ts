import { isIP } from "node:net";
import { z } from "zod";
import { parseEgressAllow } from "../services/kit/egress/policy.ts";
import type { SmtpOptions } from "../services/kit/mail/smtp.ts";
import { StartRefused } from "../services/kit/service/start-refused.ts";
import { usernameKey } from "../services/security-service/domain/username.ts";
import type { HumanCheckProvider } from "../services/security-service/human-check/provider.ts";

const parts = ["portal", "worker", "scheduler"] as const;
export type ProcessPart = (typeof parts)[number];

const emptyIsUnset = (value: unknown) => (value === "" ? undefined : value);
const list = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const httpAddress = z
  .url({ protocol: /^https?$/, error: "wants an address that starts with http:// or https://" })
  .transform((address) => address.replace(/\/+$/, ""));

function isAddressOrRange(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    longest > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
  );
}

/** Says nothing when the list can be read. */
function faultOfEgressAllow(text: string): string | undefined {
  try {
    parseEgressAllow(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace("EGRESS_ALLOW ", "");
  }
}

const serviceAddress = z.preprocess(emptyIsUnset, httpAddress.optional());

/** `name@host`, bare or in angle brackets after a name. */
const sender = /^(?:[^<>\p{Cc}]*<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/u;

function addressIn(mailFrom: string): string {
  const [, bracketed, bare] = sender.exec(mailFrom) ?? [];
  return bracketed ?? bare ?? mailFrom;
}

const schema = z.object({
  PORT: z.preprocess(
    emptyIsUnset,
    z.coerce
      .number({ error: "wants a port number from 0 to 65535" })
      .int({ error: "wants a port number from 0 to 65535" })
      .min(0, { error: "wants a port number from 0 to 65535" })
      .max(65_535, { error: "wants a port number from 0 to 65535" })
      .default(3000),
  ),
  HOST: z.preprocess(emptyIsUnset, z.string().default("127.0.0.1")),
  PUBLIC_URL: z.preprocess(
    emptyIsUnset,
    httpAddress
      .refine((address) => new URL(address).origin === new URL(address).href.replace(/\/$/, ""), {
        error: "wants an address without path, query or user name, as in https://portal.example.com",
      })
      .optional(),
  ),
  TRUSTED_PROXIES: z.preprocess(
    emptyIsUnset,
    z
      .string()
      .default("")
      .transform(list)
      .refine((entries) => entries.every(isAddressOrRange), {
        error: "wants IP addresses or CIDR ranges separated by commas, as in 10.0.0.0/8",
      }),
  ),
  DATA_DIRECTORY: z.preprocess(emptyIsUnset, z.string().default("data")),
  DATABASE_URL: z.preprocess(
    emptyIsUnset,
    z
      .url({
        protocol: /^postgres(ql)?$/,
        error: "wants a PostgreSQL address, as in postgresql://user:password@host:5432/name",
      })
      .optional(),
  ),
  RUN: z.preprocess(
    emptyIsUnset,
    z
      .string()
      .default("portal,worker,scheduler")
      .transform(list)
      .pipe(z.array(z.enum(parts, { error: "wants a list of portal, worker and scheduler" })).min(1)),
  ),
  ADMIN_USERNAME: z.preprocess(
    emptyIsUnset,
    z
      .string()
      .max(100, { error: "wants at most 100 characters" })
      .refine((name) => usernameKey(name) !== undefined, { error: "wants a name of printable characters" })
      .default("admin"),
  ),
  ADMIN_PASSWORD: z.preprocess(
    emptyIsUnset,
    z
      .string()
      .min(8, { error: "wants at least 8 characters" })
      .max(1_000, { error: "wants at most 1,000 characters" })
      .optional(),
  ),
  SECRETS_KEY: z.preprocess(
    emptyIsUnset,
    z.string().min(32, { error: "wants at least 32 random characters, as from: openssl rand -base64 32" }).optional(),
  ),
  EGRESS_ALLOW: z.preprocess(
    emptyIsUnset,
    z
      .string()
      .superRefine((text, context) => {
        const message = faultOfEgressAllow(text);
        if (message) context.addIssue({ code: "custom", message });
      })
      .optional(),
  ),
  LOG_LEVEL: z.preprocess(
    emptyIsUnset,
    z
      .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
        error: "wants one of trace, debug, info, warn, error, fatal, silent",
      })
      .default("info"),
  ),
  MAIL_URL: z.preprocess(
    emptyIsUnset,
    z
      .url({
        protocol: /^smtps?$/,
        error: "wants a mail server's address, as in smtp://user:password@mail.example.com:587",
      })
      .optional(),
  ),
  MAIL_FROM: z.preprocess(
    emptyIsUnset,
    z.string().regex(sender, { error: "wants a sender, as in API Assurance <portal@example.com>" }).optional(),
  ),
  CONTACT_ADDRESS: z.preprocess(
    emptyIsUnset,
    z.email({ error: "wants an e-mail address, as in contact@example.com" }).optional(),
  ),
  RECAPTCHA_SITE_KEY: z.preprocess(emptyIsUnset, z.string().optional()),
  RECAPTCHA_SECRET: z.preprocess(emptyIsUnset, z.string().optional()),
  RECAPTCHA_VERIFY_URL: z.preprocess(
    emptyIsUnset,
    httpAddress.default("https://www.google.com/recaptcha/api/siteverify"),
  ),
  RECAPTCHA_SCRIPT_URL: z.preprocess(emptyIsUnset, httpAddress.default("https://www.google.com/recaptcha/api.js")),
  SECURITY_SERVICE_URL: serviceAddress,
  PORTAL_SERVICE_URL: serviceAddress,
  API_REGISTRY_URL: serviceAddress,
  TEST_REGISTRY_URL: serviceAddress,
  TEST_EXECUTIONER_URL: serviceAddress,
  TEST_ANALYZER_URL: serviceAddress,
});

export type ServiceName =
  | "securityService"
  | "portalService"
  | "apiRegistry"
  | "testRegistry"
  | "testExecutioner"
  | "testAnalyzer";

const version = "0.1.0";

export interface Configuration {
  port: number;
  host: string;
  /** Where users reach the portal; links, cookies and origin checks follow it. Unset: the listening address. */
  publicUrl: string | undefined;
  trustedProxies: string[];
  dataDirectory: string;
  databaseUrl: string | undefined;
  run: ProcessPart[];
  administrator: { username: string; password: string | undefined };
  secretsKey: string | undefined;
  egressAllow: string | undefined;
  /** Unset: mail stays in a local mailbox (embedded database), or can't be sent (PostgreSQL). */
  smtp: SmtpOptions | undefined;
  /** Whom visitors write to; shown on every page. */
  contactAddress: string;
  /** Unset: forms open to everybody have the browser do a proof of work instead. */
  humanCheckProvider: HumanCheckProvider | undefined;
  logLevel: string;
  serviceUrls: Record<ServiceName, string | undefined>;
  version: string;
}

export class ConfigurationError extends StartRefused {
  override readonly name = "ConfigurationError";
}

/**
 * Reads the configuration from environment variables, once.
 * @throws ConfigurationError with one line for each variable: its name and what it wants.
 */
export function parseConfiguration(environment: Record<string, string | undefined>): Configuration {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
    throw new ConfigurationError([...new Set(lines)].join("\n"));
  }
  const values = parsed.data;
  if (values.DATABASE_URL && !values.SECRETS_KEY) {
    throw new ConfigurationError(
      "SECRETS_KEY is needed with DATABASE_URL: every process on that database must have the same one, as from: openssl rand -base64 32",
    );
  }
  if (!values.DATABASE_URL && !parts.every((part) => values.RUN.includes(part))) {
    throw new ConfigurationError(
      "RUN wants all of portal, worker and scheduler without DATABASE_URL: the embedded database serves one process.",
    );
  }
  if (values.MAIL_URL && !values.MAIL_FROM) {
    throw new ConfigurationError("MAIL_FROM is needed with MAIL_URL: every letter names its sender.");
  }
  if (!values.RECAPTCHA_SITE_KEY !== !values.RECAPTCHA_SECRET) {
    throw new ConfigurationError("RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET are needed together.");
  }
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    dataDirectory: values.DATA_DIRECTORY,
    databaseUrl: values.DATABASE_URL,
    run: values.RUN,
    administrator: { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD },
    secretsKey: values.SECRETS_KEY,
    egressAllow: values.EGRESS_ALLOW,
    smtp: values.MAIL_URL && values.MAIL_FROM ? { url: values.MAIL_URL, from: values.MAIL_FROM } : undefined,
    contactAddress:
      values.CONTACT_ADDRESS ?? (values.MAIL_FROM ? addressIn(values.MAIL_FROM) : "contact@api-assurance.example"),
    humanCheckProvider:
      values.RECAPTCHA_SITE_KEY && values.RECAPTCHA_SECRET
        ? {
            siteKey: values.RECAPTCHA_SITE_KEY,
            secret: values.RECAPTCHA_SECRET,
            verifyUrl: values.RECAPTCHA_VERIFY_URL,
            scriptUrl: values.RECAPTCHA_SCRIPT_URL,
          }
        : undefined,
    logLevel: values.LOG_LEVEL,
    version,
    serviceUrls: {
      securityService: values.SECURITY_SERVICE_URL,
      portalService: values.PORTAL_SERVICE_URL,
      apiRegistry: values.API_REGISTRY_URL,
      testRegistry: values.TEST_REGISTRY_URL,
      testExecutioner: values.TEST_EXECUTIONER_URL,
      testAnalyzer: values.TEST_ANALYZER_URL,
    },
  };
}
