const secretNames: readonly (string | undefined)[] = [
  "password",
  "currentPassword",
  "secret",
  "botToken",
  "routingKey",
  "secretHeaders",
];

/**
 * Whether a field takes a password, a credential's secret or a secret variable, such as `secrets[0].secret`: its typed
 * value is never stored for later and, once saved, never displayed again.
 */
export const isSecretField = (name: string): boolean => secretNames.includes(name.split(".").at(-1));
