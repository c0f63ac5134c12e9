import type { Family } from "../metrics/metrics.ts";
import type { Service } from "./service.ts";

/** What `createXService` of every service answers: its HTTP face and the end of its work. */
export interface RunningService {
  app: Service;
  /** What the service tells of itself where metrics are read. */
  metrics?(): Promise<Family[]>;
  /** Ends timers and background work; requests in flight are the listener's business. */
  stop(): Promise<void>;
}
