/** A metric family in the terms of OpenMetrics. */
export interface Family {
  name: string;
  type: "counter" | "gauge" | "histogram" | "summary";
  help: string;
  samples: Sample[];
}

export interface Sample {
  /** `_total` or `_bucket`, for example; none for a gauge. */
  suffix?: string;
  labels?: Record<string, string | number>;
  value: number;
}

export const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: "gauge",
  samples: [{ value }],
});

export const counter = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: "counter",
  samples: [{ suffix: "_total", value }],
});

const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

function renderLabels(labels: Record<string, string | number> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

/** The OpenMetrics 1.0 text of all families; see https://prometheus.io/docs/specs/om/open_metrics_spec/. */
export function renderFamilies(families: Family[]): string {
  const lines = families.flatMap(({ name, type, help, samples }) => [
    `# TYPE ${name} ${type}`,
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${renderLabels(labels)} ${value}`),
  ]);
  return `${lines.join("\n")}\n# EOF\n`;
}

/** Durations by label, in buckets. */
export class DurationHistogram {
  readonly #series = new Map<
    string,
    { labels: Record<string, string>; counts: number[]; sum: number; total: number }
  >();

  constructor(
    readonly name: string,
    readonly help: string,
    /** Upper bounds in seconds, ascending. */
    readonly bounds: number[],
  ) {}

  observe(labels: Record<string, string>, seconds: number): void {
    const key = Object.values(labels).join("\n");
    let series = this.#series.get(key);
    if (!series) {
      series = { labels, counts: this.bounds.map(() => 0), sum: 0, total: 0 };
      this.#series.set(key, series);
    }
    const bucket = this.bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.counts[bucket]! += 1;
    series.sum += seconds;
    series.total += 1;
  }

  family(): Family {
    const samples = [...this.#series.values()].flatMap(({ labels, counts, sum, total }) => {
      let below = 0;
      const buckets = counts.map((count, index) => {
        below += count;
        return { suffix: "_bucket", labels: { ...labels, le: this.bounds[index]! }, value: below };
      });
      return [
        ...buckets,
        { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: total },
        { suffix: "_count", labels, value: total },
        { suffix: "_sum", labels, value: sum },
      ];
    });
    return { name: this.name, help: this.help, type: "histogram", samples };
  }
}
