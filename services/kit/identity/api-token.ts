/** By which scanners of repositories and logs know a token of ours. */
export const apiTokenPrefix = "aap_";

/** Says only that it looks like one. */
export const isApiToken = (bearer: string): boolean => bearer.startsWith(apiTokenPrefix);
