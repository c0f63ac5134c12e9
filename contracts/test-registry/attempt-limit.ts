/** Stored of an execution. Separate from the schemas: what runs tests needs none. */
export const maxAttempts = 10;
