const secretNames: readonly (string | undefined)[] = ["password", "currentPassword", "secret"];

/**
 * Whether a field takes a password, a credential's secret or a secret variable, as in `secrets[0].secret`: what is typed there is
 * never kept and, once saved, never shown again.
 */
export const isSecretField = (name: string): boolean => secretNames.includes(name.split(".").at(-1));
