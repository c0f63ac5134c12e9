import { Problem } from "#contracts/kit/problem.ts";
import { maxResultBytes } from "#contracts/test-executioner/agent-limits.ts";
import { reportAgentResults } from "#contracts/test-executioner/agent-work.ts";

/** Concurrent calls of one agent: a poll, results, leases, and those of a process that has just been killed. */
const maxCalls = 8;
/** Results of all agents together, in this process. */
const maxBytes = 4 * maxResultBytes;

/** Other calls are small, and some wait for long. */
function reserve({ url, headers }: Request): number {
  if (new URL(url).pathname !== reportAgentResults.path) return 0;
  const length = headers.get("content-length");
  return length === null ? maxResultBytes : Math.min(maxResultBytes, Number(length) || 0);
}

/** Bounds what agents may have here at a time, before any of it is read. */
export function createAgentGate(): (agentId: string, request: Request) => () => void {
  const calls = new Map<string, number>();
  let bytes = 0;
  return (agentId, request) => {
    const open = calls.get(agentId) ?? 0;
    const reserved = reserve(request);
    if (open >= maxCalls || bytes + reserved > maxBytes) {
      throw new Problem("too_many_requests", "Too many calls of agents are in progress.", { retryAfterSeconds: 1 });
    }
    calls.set(agentId, open + 1);
    bytes += reserved;
    return () => {
      bytes -= reserved;
      const left = calls.get(agentId)! - 1;
      if (left > 0) calls.set(agentId, left);
      else calls.delete(agentId);
    };
  };
}
