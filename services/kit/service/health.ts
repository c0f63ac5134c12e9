import { within } from "../clock/within.ts";

/** A dependency of a process. */
export interface Component {
  name: string;
  /** Health is red without it. Others are reported only, and features that need them report it themselves. */
  required: boolean;
  /** Throws, or times out, while the component is unavailable. */
  check(): Promise<unknown>;
}

export type HealthStatus = "UP" | "DOWN";

export interface Health {
  status: HealthStatus;
  components: Record<string, { status: HealthStatus; required: boolean }>;
}

const timeoutMilliseconds = 2_000;
/** Load balancers check often, and every process is checked. */
const cacheMilliseconds = 1_000;

async function checkComponent({ check }: Component): Promise<HealthStatus> {
  try {
    await within(timeoutMilliseconds, check(), "no response in time");
    return "UP";
  } catch {
    return "DOWN";
  }
}

/** Checks all components concurrently, at most once a second regardless of the number of callers. */
export function createHealth(components: Component[]): () => Promise<Health> {
  let known: Promise<Health> | undefined;
  async function checkAll(): Promise<Health> {
    const statuses = await Promise.all(
      components.map(async (component) => [component, await checkComponent(component)] as const),
    );
    const isDown = statuses.some(([{ required }, status]) => required && status === "DOWN");
    return {
      status: isDown ? "DOWN" : "UP",
      components: Object.fromEntries(statuses.map(([{ name, required }, status]) => [name, { status, required }])),
    };
  }
  return () => {
    if (!known) {
      known = checkAll();
      void known.then(() => setTimeout(() => (known = undefined), cacheMilliseconds).unref());
    }
    return known;
  };
}
