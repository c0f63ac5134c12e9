/** Errors between a caller and a service, as RFC 9457 problem details.
 * The set of codes is closed: a caller may switch over it. */
export const problemStatuses = {
  malformed_request: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  second_factor_required: 401,
  plan_limit_reached: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  stale_version: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid_input: 422,
  too_many_requests: 429,
  internal_error: 500,
  service_unavailable: 503,
  insufficient_storage: 507,
} as const;

export type ProblemCode = keyof typeof problemStatuses;

export interface FieldError {
  /** Dotted path into the request body, e.g. `request.body.text` or `assertions[0].target`. */
  path: string;
  message: string;
}

export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  requestId?: string;
  errors?: FieldError[];
  /** With 503: the service that did not respond, e.g. `api-registry`. */
  service?: string;
  /** With second_factor_required: continues the sign-in. */
  challenge?: string;
  /** With 402: the plan's limit and its current usage. */
  limit?: number;
  used?: number;
}

export const problemTitles: Record<ProblemCode, string> = {
  malformed_request: "The request could not be read",
  unauthenticated: "Sign in first",
  invalid_credentials: "Username or password is wrong",
  second_factor_required: "Enter the code of your second factor",
  plan_limit_reached: "The plan's limit is reached",
  forbidden: "You don't have permission to access this resource",
  not_found: "Not found",
  method_not_allowed: "No such method here",
  not_acceptable: "None of the requested content types is available",
  conflict: "This conflicts with what is stored",
  stale_version: "Someone else changed this in the meantime",
  payload_too_large: "Too large",
  unsupported_media_type: "This content type is not understood",
  invalid_input: "Some values need correction",
  too_many_requests: "Too many requests",
  internal_error: "Something went wrong on our side",
  service_unavailable: "Part of the portal is not responding",
  insufficient_storage: "The portal's disk is full",
};

export interface ProblemExtras {
  errors?: FieldError[];
  retryAfterSeconds?: number;
  /** With 405: the methods supported. */
  allow?: string;
  service?: string;
  challenge?: string;
  limit?: number;
  used?: number;
}

/** Thrown by domain, store or HTTP code to refuse a request; the kit's error handler turns it into the response. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string = problemTitles[code],
    readonly extras: ProblemExtras = {},
  ) {
    super(detail);
    this.status = problemStatuses[code];
  }

  toDetails(requestId?: string): ProblemDetails {
    const { errors, service, challenge, limit, used } = this.extras;
    return {
      type: "about:blank",
      title: problemTitles[this.code],
      status: this.status,
      code: this.code,
      detail: this.detail,
      ...(requestId ? { requestId } : {}),
      ...(errors ? { errors } : {}),
      ...(service ? { service } : {}),
      ...(challenge ? { challenge } : {}),
      ...(limit !== undefined ? { limit } : {}),
      ...(used !== undefined ? { used } : {}),
    };
  }
}

/** For a row that is absent or belongs to another organization: the two must be indistinguishable. */
export function notFound(what: string): Problem {
  return new Problem("not_found", `No such ${what}.`);
}
