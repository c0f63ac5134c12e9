import type { EnvironmentSecrets } from "../services/test-executioner/domain/environment-secrets.ts";
import type { Configuration } from "./configuration.ts";

/** Secrets of credentials in the environment of this process, read when they are needed. */
export function openEnvironmentSecrets({
  secretsEnvironmentPrefix: prefix,
}: Pick<Configuration, "secretsEnvironmentPrefix">): EnvironmentSecrets {
  return { prefix, find: (name) => process.env[name] };
}
