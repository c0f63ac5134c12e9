import { randomBytes } from "node:crypto";

export interface Detail {
  issue: string;
  description: string;
  field?: string;
  value?: string;
  location?: "body" | "path" | "query";
}

const messages = {
  400: ["INVALID_REQUEST", "Request is not well-formed, syntactically incorrect, or violates schema."],
  401: [
    "AUTHENTICATION_FAILURE",
    "Authentication failed due to missing authorization header, or invalid authentication credentials.",
  ],
  404: ["RESOURCE_NOT_FOUND", "The specified resource does not exist."],
  422: [
    "UNPROCESSABLE_ENTITY",
    "The requested action could not be performed, semantically incorrect, or failed business validation.",
  ],
  429: ["RATE_LIMIT_REACHED", "Too many requests. Blocked due to rate limiting."],
  500: ["INTERNAL_SERVER_ERROR", "An internal server error has occurred."],
  503: ["SERVICE_UNAVAILABLE", "Service Unavailable."],
} as const;
export type RefusalStatus = keyof typeof messages;

/** An error in PayPal's format: `{ name, message, debug_id, details, links }`. */
export class Refusal extends Error {
  constructor(
    readonly status: RefusalStatus,
    readonly details: Detail[] = [],
  ) {
    super(messages[status][1]);
  }

  body() {
    const [name, message] = messages[this.status];
    return { name, message, debug_id: randomBytes(6).toString("hex"), details: this.details, links: [] };
  }
}

/** The 422 for an action that the current state does not allow. */
export const unprocessable = (issue: string, description: string) => new Refusal(422, [{ issue, description }]);

export const notThere = () =>
  new Refusal(404, [{ issue: "INVALID_RESOURCE_ID", description: "Specified resource ID does not exist." }]);
