/** A dependency of a process. */
export interface Component {
  name: string;
  /** Health is red without it. Others are reported only, and features that need them report it themselves. */
  required: boolean;
  /** Throws, or times out, while the component is unavailable. */
  check(): Promise<unknown>;
}

export type Standing = "UP" | "DOWN";

export interface Health {
  status: Standing;
  components: Record<string, { status: Standing; required: boolean }>;
}

const patienceMilliseconds = 2_000;
/** Load balancers check often, and every process is checked. */
const keptMilliseconds = 1_000;

async function standingOf({ check }: Component): Promise<Standing> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), patienceMilliseconds);
  });
  try {
    await Promise.race([check(), tooLate]);
    return "UP";
  } catch {
    return "DOWN";
  } finally {
    clearTimeout(timer);
  }
}

/** Checks all components concurrently, at most once a second regardless of the number of callers. */
export function createHealth(components: Component[]): () => Promise<Health> {
  let known: Promise<Health> | undefined;
  async function look(): Promise<Health> {
    const standings = await Promise.all(
      components.map(async (component) => [component, await standingOf(component)] as const),
    );
    const isDown = standings.some(([{ required }, status]) => required && status === "DOWN");
    return {
      status: isDown ? "DOWN" : "UP",
      components: Object.fromEntries(standings.map(([{ name, required }, status]) => [name, { status, required }])),
    };
  }
  return () => {
    if (!known) {
      known = look();
      void known.then(() => setTimeout(() => (known = undefined), keptMilliseconds).unref());
    }
    return known;
  };
}
