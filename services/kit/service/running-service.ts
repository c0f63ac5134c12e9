import type { Family } from "../metrics/metrics.ts";
import type { Service } from "./service.ts";

/** Result of every service's `createXService`: its HTTP app and its shutdown. */
export interface RunningService {
  app: Service;
  /** The service's own metrics. */
  metrics?(): Promise<Family[]>;
  /** Stops timers and background work; pending requests are the listener's responsibility. */
  stop(): Promise<void>;
}
