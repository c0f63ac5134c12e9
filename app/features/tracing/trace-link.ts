import type { TraceContext } from "#contracts/test-executioner/attempts.ts";

/** The page of a trace in the organization's tracer; undefined without a template. */
export function toTraceHref(template: string | undefined, { traceId, spanId }: TraceContext): string | undefined {
  if (!template) return undefined;
  return template.replaceAll("{traceId}", traceId).replaceAll("{spanId}", spanId);
}
