/** Prefix by which secret scanners recognize the portal's tokens. */
export const apiTokenPrefix = "aap_";

/** Checks the prefix only. */
export const isApiToken = (bearer: string): boolean => bearer.startsWith(apiTokenPrefix);
