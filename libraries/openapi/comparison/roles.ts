import type { Direction } from "../sample/sample-source.ts";
import type { Rule } from "./rules.ts";

/** What a client is to an exchange: it calls an operation, and receives what callbacks and webhooks send. */
export type Role = "caller" | "receiver";

/** The direction of a request's and of a response's schemas, for the client. */
export function getDirections(role: Role): { request: Direction; response: Direction } {
  return role === "caller"
    ? { request: "request", response: "response" }
    : { request: "response", response: "request" };
}

type RequestChange =
  | "parameter.added"
  | "parameter.added-required"
  | "parameter.removed"
  | "parameter.required"
  | "parameter.optional"
  | "parameter.serialization-changed"
  | "body.added"
  | "body.added-required"
  | "body.removed"
  | "body.required"
  | "body.optional"
  | "response.added"
  | "response.removed";

/** A receiver has nothing to send more if something is required, but lacks what becomes optional. */
export function toRule(role: Role, change: RequestChange): Rule {
  if (role === "caller") return change;
  if (change === "parameter.added-required") return "callback.parameter.added";
  if (change === "body.added-required") return "callback.body.added";
  return `callback.${change}`;
}
