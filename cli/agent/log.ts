import { toPlainText } from "../report/plain-text.ts";

/** Lines about what the agent does: text, or JSON for a collector. Names of tests and secrets are in none. */
export interface AgentLog {
  info(message: string, details?: Record<string, string | number>): void;
  warn(message: string, details?: Record<string, string | number>): void;
}

export function createLog(isJson: boolean, write: (line: string) => void): AgentLog {
  const log =
    (level: string) =>
    (message: string, details: Record<string, string | number> = {}) => {
      const time = new Date().toISOString();
      if (isJson) write(`${JSON.stringify({ time, level, message, ...details })}\n`);
      else {
        const rest = Object.entries(details).map(([name, value]) => ` ${name}=${value}`);
        write(`${time} ${level.padEnd(4)} ${toPlainText(message + rest.join(""))}\n`);
      }
    };
  return { info: log("info"), warn: log("warn") };
}
